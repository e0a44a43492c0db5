import type { Condition } from '../../filter/filter.ts';
import type { RecordReads } from '../../store/record-reads.ts';
import type { MatchPart, SearchReads } from '../../store/search-reads.ts';
import type { MatchTerms } from '../../words/match-terms.ts';
import type { GrantedScopes } from '../granted-scopes.ts';
import type { GrantedStream } from '../granted-stream.ts';

/** Which records a search looks in. */
export interface MatchScope {
  readonly streams: readonly GrantedStream[];
  readonly conditions: ReadonlyMap<GrantedStream, readonly Condition[]>;
}

/** What is known of one choice of streams. */
interface Choice {
  /** The change that it was made after. */
  readonly horizon: number;
  /** Undefined for a choice with conditions, which is made for one request and of which nothing is kept. */
  readonly name: string | undefined;
  /** The same list as long as nothing changes, so that statements made for it are found again. */
  readonly parts: readonly MatchPart[];
  readonly counts: Map<string, number>;
}

const MAX_CHOICES = 10;
const MAX_COUNTS = 5_000;
/** For lists and postings of one grant. */
const MAX_BYTES = 3_000_000;

/**
 * What searches of one grant have read, as long as nothing changes: the next page, and the next question about the same
 * thing, ask for it again.
 */
export class SearchCache {
  readonly #records: RecordReads;
  readonly #search: SearchReads;
  readonly #scopes: GrantedScopes;
  /** By the scope of a request: all its reads use one choice, which is released with the request. */
  readonly #byScope = new WeakMap<MatchScope, Choice>();
  readonly #choices = new Map<string, Choice>();
  readonly #lists = new Map<string, { readonly value: unknown; readonly bytes: number }>();
  #horizon = -1;
  #bytes = 0;

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

  /** How many records match, counted up to a number. */
  countMatching(where: MatchScope, terms: MatchTerms, limit: number): Promise<number> {
    return this.count(where, `${limit} ${JSON.stringify(terms)}`, (parts) =>
      this.#search.countMatching(parts, terms, limit),
    );
  }

  /** A count, kept under a name. */
  async count(
    where: MatchScope,
    name: string,
    count: (parts: readonly MatchPart[]) => Promise<number>,
  ): Promise<number> {
    const { counts, parts } = await this.choose(where);
    const known = counts.get(name);
    if (known !== undefined) return known;
    const counted = await count(parts);
    if (counts.size >= MAX_COUNTS) counts.clear();
    counts.set(name, counted);
    return counted;
  }

  /** A list, or an object of lists, kept under a name. A name has one type of value. */
  async list<T extends object>(
    where: MatchScope,
    name: string,
    read: (parts: readonly MatchPart[]) => Promise<T>,
  ): Promise<T> {
    const choice = await this.choose(where);
    if (choice.name === undefined) return read(choice.parts);
    this.#startFrom(choice.horizon);
    const key = `${choice.name} ${name}`;
    const known = this.#lists.get(key);
    const value = (known?.value as T | undefined) ?? (await read(choice.parts));
    // A change came meanwhile, or another search has kept the same.
    if (this.#horizon !== choice.horizon || (known === undefined && this.#lists.has(key))) return value;
    const entry = known ?? { value, bytes: countBytes(value) };
    this.#lists.delete(key);
    this.#lists.set(key, entry);
    if (known === undefined) this.#bytes += entry.bytes;
    for (const [oldest, { bytes }] of this.#lists) {
      if (this.#bytes <= MAX_BYTES) break;
      this.#lists.delete(oldest);
      this.#bytes -= bytes;
    }
    return value;
  }

  /** What is known of these streams since the last change; with conditions, for this request alone. */
  async choose(where: MatchScope): Promise<Choice> {
    const known = this.#byScope.get(where);
    if (known !== undefined) return known;
    const horizon = await this.#records.horizon();
    const name = where.streams.map((stream) => this.#scopes.of(stream).stream.streamId).join(' ');
    const isWhole = where.streams.every((stream) => (where.conditions.get(stream) ?? []).length === 0);
    const make = (): Choice => ({
      horizon,
      name: isWhole ? name : undefined,
      parts: this.partsOf(where),
      counts: new Map(),
    });
    const choice = isWhole ? this.#keepChoice(horizon, name, make) : make();
    this.#byScope.set(where, choice);
    return choice;
  }

  #keepChoice(horizon: number, name: string, make: () => Choice): Choice {
    this.#startFrom(horizon);
    const choice = this.#choices.get(name) ?? make();
    if (this.#choices.size >= MAX_CHOICES) this.#choices.clear();
    this.#choices.set(name, choice);
    return choice;
  }

  #startFrom(horizon: number): void {
    if (this.#horizon === horizon) return;
    this.#horizon = horizon;
    this.#choices.clear();
    this.#lists.clear();
    this.#bytes = 0;
  }
}

function countBytes(value: object): number {
  const lists: (ArrayBufferView | number[])[] = Array.isArray(value) ? [value] : Object.values(value);
  return lists.reduce((sum, list) => sum + (Array.isArray(list) ? 8 * list.length : list.byteLength), 0);
}
