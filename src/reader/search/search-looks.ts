import type { Kysely } from 'kysely';
import type { Condition } from '../../schema-index/filter.ts';
import type { RecordReads } from '../../store/record-reads.ts';
import type { Tables } from '../../store/sqlite/tables.ts';
import type { GrantedScopes } from '../granted-scopes.ts';
import type { GrantedStream } from '../granted-stream.ts';
import { type Counts, KeptLooks, keepCount } from '../kept-looks.ts';
import { PostingsCache } from './postings-cache.ts';
import type { MatchPart } from './read-matches.ts';
import { countMatching } from './read-matching.ts';

/** Which records words are looked for in. */
export interface MatchScope {
  readonly streams: readonly GrantedStream[];
  readonly conditions: ReadonlyMap<GrantedStream, readonly Condition[]>;
}

/** What a search is about to look in. */
interface Look {
  /** The change that it began after. */
  readonly horizon: number;
  /** The streams, where they are looked in whole, so that what is found may be kept. */
  readonly streams: string | undefined;
  readonly counts: Counts;
  /** The same ones as long as nothing changes, so that what was made and read for them is at hand. */
  readonly parts: readonly MatchPart[];
}

/** What searches of one grant look in, and what is kept of it while nothing changes. */
export class SearchLooks {
  readonly #db: Kysely<Tables>;
  readonly #records: RecordReads;
  readonly #scopes: GrantedScopes;
  /** A search asks about the same records again and again. */
  readonly #looks = new WeakMap<MatchScope, Look>();
  readonly #keptLooks = new KeptLooks<Look>();
  readonly #cache = new PostingsCache();

  constructor(db: Kysely<Tables>, records: RecordReads, scopes: GrantedScopes) {
    this.#db = db;
    this.#records = records;
    this.#scopes = scopes;
  }

  /** What is known of these streams since the last change; with conditions, for this request alone. */
  async of(where: MatchScope): Promise<Look> {
    const known = this.#looks.get(where);
    if (known !== undefined) return known;
    const isPlain = where.streams.every((stream) => (where.conditions.get(stream) ?? []).length === 0);
    const streams = where.streams.map((stream) => this.#scopes.of(stream).stream.streamId).join(' ');
    const horizon = await this.#records.horizon();
    const make = (kept: string | undefined): Look => ({
      horizon,
      streams: kept,
      counts: new Map(),
      parts: this.partsOf(where),
    });
    const look = isPlain ? this.#keptLooks.of(horizon, streams, () => make(streams)) : make(undefined);
    this.#looks.set(where, look);
    return look;
  }

  partsOf(where: MatchScope): readonly MatchPart[] {
    return where.streams.map((stream) => ({
      scope: this.#scopes.of(stream),
      conditions: where.conditions.get(stream) ?? [],
    }));
  }

  /** How many records match, counted up to a number. Kept while nothing changes: words are asked for again. */
  async countMatching(where: MatchScope, expression: string, most: number): Promise<number> {
    const { counts, parts } = await this.of(where);
    return keepCount(counts, `${most} ${expression}`, () => countMatching(this.#db, parts, expression, most));
  }

  /** What is read under a name is kept while nothing changes; with conditions it is not. */
  async keep<T extends object>(
    where: MatchScope,
    name: string,
    read: (parts: readonly MatchPart[]) => Promise<T>,
  ): Promise<T> {
    const { horizon, streams, parts } = await this.of(where);
    if (streams === undefined) return read(parts);
    return this.#cache.read(horizon, `${streams} ${name}`, () => read(parts));
  }
}
