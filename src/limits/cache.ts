/**
 * A map with a size limit that evicts the least recently used entry. Not for values that depend on records across grants:
 * entries of hidden records would evict those of visible ones, which an app could measure.
 */
export class LruCache<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #maxEntries: number;

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#maxEntries) this.#entries.delete(this.#entries.keys().next().value as Key);
  }

  /** Returns the value of a key, and creates it if there is none. */
  getOrSet(key: Key, make: () => Value): Value {
    const known = this.get(key);
    if (known !== undefined) return known;
    const value = make();
    this.set(key, value);
    return value;
  }
}

/** A map with a limit of bytes that evicts the least recently used values. The caller estimates the size of each value. */
export class SizedCache {
  readonly #entries = new Map<string, { readonly value: unknown; readonly bytes: number }>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(key: string): unknown {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Adds a value, unless the key has one by now. */
  add(key: string, value: unknown, bytes: number): void {
    if (this.#entries.has(key)) return;
    this.#entries.set(key, { value, bytes });
    this.#bytes += bytes;
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#entries.delete(oldest);
      this.#bytes -= entry.bytes;
    }
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }
}

/**
 * Values that are valid for one version of the store, such as a change number. A new version empties the cache, and so does
 * the size limit.
 */
export class VersionCache<Version, Value> {
  readonly #values = new Map<string, Value>();
  readonly #maxValues: number;
  #version: Version | undefined;

  constructor(maxValues: number) {
    this.#maxValues = maxValues;
  }

  /** Returns the cached value, or computes it. A value computed while the version changed is not cached. */
  async get(version: Version, key: string, compute: () => Promise<Value>): Promise<Value> {
    if (this.#version !== version || this.#values.size >= this.#maxValues) this.#values.clear();
    this.#version = version;
    const cached = this.#values.get(key);
    if (cached !== undefined || this.#values.has(key)) return cached as Value;
    const value = await compute();
    if (this.#version === version) this.#values.set(key, value);
    return value;
  }
}
