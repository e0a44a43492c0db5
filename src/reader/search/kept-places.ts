import type { Places } from './read-places.ts';

/** Places that are kept for a reader, over all words: less than three megabytes, since each takes 13 bytes. */
const MOST_KEPT = 200_000;

/**
 * Where words stand, of the words asked for last, as long as nothing changes: the next page, and the next question about the
 * same thing, ask for them again. Kept for one grant, as it may see them.
 */
export class KeptPlaces {
  readonly #kept = new Map<string, Places>();
  #horizon = -1;
  #size = 0;

  /** The places under a name since the change with this number, read when they are not known. */
  async read(horizon: number, name: string, read: () => Promise<Places>): Promise<Places> {
    if (this.#horizon !== horizon) this.#forgetAll();
    this.#horizon = horizon;
    const known = this.#kept.get(name);
    const places = known ?? pack(await read());
    // What was stored meanwhile belongs to another change; whoever read first has kept it.
    if (this.#horizon !== horizon || (known === undefined && this.#kept.has(name))) return places;
    this.#kept.delete(name);
    this.#kept.set(name, places);
    if (known === undefined) this.#size += places.rids.length;
    for (const [oldest, { rids }] of this.#kept) {
      if (this.#size <= MOST_KEPT) break;
      this.#kept.delete(oldest);
      this.#size -= rids.length;
    }
    return places;
  }

  #forgetAll(): void {
    this.#kept.clear();
    this.#size = 0;
  }
}

function pack({ rids, columns, offsets }: Places): Places {
  return {
    rids: Float64Array.from(rids),
    columns: Uint8Array.from(columns),
    offsets: Uint32Array.from(offsets),
  };
}
