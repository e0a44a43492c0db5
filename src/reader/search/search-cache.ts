import type { Condition } from '../../filter/filter.ts';
import { SizedCache } from '../../limits/cache.ts';
import type { RecordReads } from '../../store/record-reads.ts';
import type { MatchPart, SearchReads } from '../../store/search-reads.ts';
import type { MatchTerms } from '../../words/match-terms.ts';
import type { GrantedScopes } from '../granted-scopes.ts';
import type { GrantedStream } from '../granted-stream.ts';

/** The streams and conditions of a search. */
export interface MatchScope {
  readonly streams: readonly GrantedStream[];
  readonly conditions: ReadonlyMap<GrantedStream, readonly Condition[]>;
}

/** The cached state of one combination of streams. */
interface CachedScope {
  /** The change number that it is valid for. */
  readonly horizon: number;
  /** Undefined for a scope with conditions: it serves one request, and its lists are not cached. */
  readonly name: string | undefined;
  /** The same array until something changes, because prepared statements are cached by its identity. */
  readonly parts: readonly MatchPart[];
  readonly counts: Map<string, number>;
}

const MAX_CACHED_SCOPES = 10;
const MAX_COUNTS = 5_000;
/** Limits of all lists and postings of one grant, and of the results of its searches. */
const MAX_LIST_BYTES = 2_000_000;
const MAX_SEARCH_BYTES = 2_000_000;

/** Caches the reads of one grant's searches until something is stored. Later pages and similar queries repeat them. */
export class SearchCache {
  readonly #records: RecordReads;
  readonly #search: SearchReads;
  readonly #scopes: GrantedScopes;
  /** Fixes the horizon of each request's scope for as long as the request holds it. */
  readonly #byRequest = new WeakMap<MatchScope, CachedScope>();
  readonly #byName = new Map<string, CachedScope>();
  readonly #lists = new SizedCache(MAX_LIST_BYTES);
  readonly #searches = new SizedCache(MAX_SEARCH_BYTES);
  #horizon = -1;

  constructor(records: RecordReads, search: SearchReads, scopes: GrantedScopes) {
    this.#records = records;
    this.#search = search;
    this.#scopes = scopes;
  }

  partsOf(where: MatchScope): readonly MatchPart[] {
    return where.streams.map((stream) => ({
      scope: this.#scopes.of(stream),
      conditions: where.conditions.get(stream) ?? [],
    }));
  }

  /** Counts matching records, up to `limit`. */
  countMatching(where: MatchScope, terms: MatchTerms, limit: number): Promise<number> {
    return this.count(where, `${limit} ${JSON.stringify(terms)}`, (parts) =>
      this.#search.countMatching(parts, terms, limit),
    );
  }

  /** Returns the count cached under a name. */
  async count(
    where: MatchScope,
    name: string,
    count: (parts: readonly MatchPart[]) => Promise<number>,
  ): Promise<number> {
    const { counts, parts } = await this.resolve(where);
    const cached = counts.get(name);
    if (cached !== undefined) return cached;
    const counted = await count(parts);
    if (counts.size >= MAX_COUNTS) counts.clear();
    counts.set(name, counted);
    return counted;
  }

  /** Returns the array, or object of arrays, cached under a name. Each name must always have the same type. */
  list<T extends object>(
    where: MatchScope,
    name: string,
    read: (parts: readonly MatchPart[]) => Promise<T>,
  ): Promise<T> {
    return this.#cached(this.#lists, where, name, read, countBytes);
  }

  /** Returns the result of a whole search, cached under a name. All its reads see the same data. */
  search<T extends object>(
    where: MatchScope,
    name: string,
    search: () => Promise<T>,
    bytesOf: (result: T) => number,
  ): Promise<T> {
    const read = () =>
      this.#search.inSnapshot(async (horizon) => {
        const scope = await this.resolve(where);
        if (horizon === undefined || horizon === scope.horizon) return search();
        // Something was stored meanwhile. Nothing that was cached before belongs to this search.
        this.#fix(where, horizon);
        return this.#cached(this.#searches, where, name, search, bytesOf);
      });
    return this.#cached(this.#searches, where, name, read, bytesOf);
  }

  async #cached<T extends object>(
    cache: SizedCache,
    where: MatchScope,
    name: string,
    read: (parts: readonly MatchPart[]) => Promise<T>,
    bytesOf: (value: T) => number,
  ): Promise<T> {
    const scope = await this.resolve(where);
    if (scope.name === undefined) return read(scope.parts);
    this.#clearIfChanged(scope.horizon);
    const key = `${scope.name} ${name}`;
    const cached = cache.get(key) as T | undefined;
    if (cached !== undefined) return cached;
    const value = await read(scope.parts);
    // A value that was read while something changed is not cached.
    if (this.#horizon === scope.horizon) cache.add(key, value, 2 * key.length + bytesOf(value));
    return value;
  }

  /** Returns the cached scope of these streams. A scope with conditions is new for each request. */
  async resolve(where: MatchScope): Promise<CachedScope> {
    const cached = this.#byRequest.get(where);
    if (cached !== undefined) return cached;
    return this.#fix(where, await this.#records.horizon());
  }

  /** Fixes the horizon of a request's scope. */
  #fix(where: MatchScope, horizon: number): CachedScope {
    const name = where.streams.map((stream) => this.#scopes.of(stream).stream.streamId).join(' ');
    const isWhole = where.streams.every((stream) => (where.conditions.get(stream) ?? []).length === 0);
    const create = (): CachedScope => ({
      horizon,
      name: isWhole ? name : undefined,
      parts: this.partsOf(where),
      counts: new Map(),
    });
    const scope = isWhole ? this.#getOrCreate(horizon, name, create) : create();
    this.#byRequest.set(where, scope);
    return scope;
  }

  #getOrCreate(horizon: number, name: string, create: () => CachedScope): CachedScope {
    this.#clearIfChanged(horizon);
    const scope = this.#byName.get(name) ?? create();
    if (this.#byName.size >= MAX_CACHED_SCOPES) this.#byName.clear();
    this.#byName.set(name, scope);
    return scope;
  }

  #clearIfChanged(horizon: number): void {
    if (this.#horizon === horizon) return;
    this.#horizon = horizon;
    this.#byName.clear();
    this.#lists.clear();
    this.#searches.clear();
  }
}

function countBytes(value: object): number {
  const lists: (ArrayBufferView | number[])[] = Array.isArray(value) ? [value] : Object.values(value);
  return lists.reduce((sum, list) => sum + (Array.isArray(list) ? 8 * list.length : list.byteLength), 0);
}
