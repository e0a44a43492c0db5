/** What is kept for one reader, over all words. */
const MAX_BYTES = 3_000_000;

/**
 * Postings and lists of records, of the words asked for last, as long as nothing changes: the next page, and the next
 * question about the same thing, ask for them again. Kept for one grant, as it may see them.
 */
export class PostingsCache {
  readonly #entries = new Map<string, { readonly value: unknown; readonly bytes: number }>();
  #horizon = -1;
  #bytes = 0;

  /** The value under a name since the change with this number, read when it is not known. A name has one type of value. */
  async read<T extends object>(horizon: number, name: string, read: () => Promise<T>): Promise<T> {
    if (this.#horizon !== horizon) this.#clear();
    this.#horizon = horizon;
    const known = this.#entries.get(name);
    const value = (known?.value as T | undefined) ?? (await read());
    // What was stored meanwhile belongs to another change; whoever read first has kept it.
    if (this.#horizon !== horizon || (known === undefined && this.#entries.has(name))) return value;
    const entry = known ?? { value, bytes: countBytes(value) };
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    if (known === undefined) this.#bytes += entry.bytes;
    for (const [oldest, { bytes }] of this.#entries) {
      if (this.#bytes <= MAX_BYTES) break;
      this.#entries.delete(oldest);
      this.#bytes -= bytes;
    }
    return value;
  }

  #clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }
}

/** Of a list, or of the lists in an object. */
function countBytes(value: object): number {
  const lists = Array.isArray(value) ? [value] : Object.values(value);
  return lists.reduce(
    (sum: number, list: ArrayBufferView | number[]) =>
      sum + (Array.isArray(list) ? 8 * list.length : list.byteLength),
    0,
  );
}
