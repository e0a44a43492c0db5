import type { Kysely } from 'kysely';
import type { GrantedStreamTerms } from '../grants/grant.ts';
import { giveTurn } from '../limits/give-turn.ts';
import type { Catalog, Connection } from '../schema-index/catalog.ts';
import type { Relationship } from '../schema-index/declaration.ts';
import type { Condition } from '../schema-index/filter.ts';
import type { ReadStore } from '../store/sqlite/open-store.ts';
import {
  type ChangesRequest,
  readChanges,
  type VisibleChange,
} from '../store/sqlite/reads/changes/read-changes.ts';
import { boundRecord, isReference, readBound } from '../store/sqlite/reads/long/bound-record.ts';
import { readAtPlaces } from '../store/sqlite/reads/read-at-places.ts';
import {
  countPlain,
  countRecords,
  countStretches,
  readMonths,
  type Stretch,
} from '../store/sqlite/reads/read-counts.ts';
import { readHorizon } from '../store/sqlite/reads/read-horizon.ts';
import { readKeys } from '../store/sqlite/reads/read-keys.ts';
import {
  type NamedKey,
  readKeysWhere,
  readKnownKeys,
  readNamed,
  readNames,
} from '../store/sqlite/reads/read-named.ts';
import { type NewestPlace, readNewest } from '../store/sqlite/reads/read-newest.ts';
import { readFlaggedAuthors, readOwner } from '../store/sqlite/reads/read-owner.ts';
import { type PageRequest, readPage } from '../store/sqlite/reads/read-page.ts';
import { readRecords } from '../store/sqlite/reads/read-records.ts';
import { readSimilar } from '../store/sqlite/reads/read-similar.ts';
import { readSpan } from '../store/sqlite/reads/read-span.ts';
import { type FieldValues, readValues } from '../store/sqlite/reads/read-values.ts';
import type { Scope } from '../store/sqlite/scope.ts';
import type { SlotValue, Tables } from '../store/sqlite/tables.ts';
import type { Dictionary } from '../words/spellings.ts';
import { type GrantedRecord, type Match, visibleTime } from './granted-record.ts';
import { fieldOf, GrantedScopes } from './granted-scopes.ts';
import type { GrantedStream } from './granted-stream.ts';
import { KeptReads } from './kept-reads.ts';
import { GrantedMeasures } from './measures/granted-measures.ts';
import { GrantedSearch } from './search/granted-search.ts';

/** A longer record takes long enough that others may come first after it. */
const LONG_VERSION = 4_000;

export interface Page {
  readonly records: (GrantedRecord & { readonly value: SlotValue })[];
  readonly horizon: number;
}

/** A record that may be listed. */
export interface NewestRecord extends NewestPlace {
  readonly stream: GrantedStream;
}

/**
 * All that a tool ever holds. It names only granted streams and fields, reads only visible records, and
 * keeps the database to itself: there is no other way from a tool to the data.
 */
export class GrantedReader {
  readonly streams: readonly GrantedStream[];
  readonly timeZone: string;
  readonly measures: GrantedMeasures;
  readonly search: GrantedSearch;
  readonly #db: Kysely<Tables>;
  readonly #scopes: GrantedScopes;
  readonly #kept: KeptReads;

  constructor(
    store: ReadStore,
    catalog: Catalog,
    terms: readonly GrantedStreamTerms[],
    dictionary: Dictionary,
  ) {
    this.#db = store.db;
    this.#scopes = new GrantedScopes(catalog, terms);
    this.streams = this.#scopes.streams;
    this.timeZone = catalog.timeZone;
    this.#kept = new KeptReads(() => this.horizon());
    this.measures = new GrantedMeasures(this.#db, this.#scopes);
    this.search = new GrantedSearch(store, this.#scopes, dictionary);
  }

  async page(stream: GrantedStream, request: PageRequest): Promise<Page> {
    const scope = this.#scopes.of(stream);
    const rows = await readPage(this.#db, scope, request);
    const records: Page['records'] = [];
    for (const { key, value, version } of rows) {
      // Waiting costs more than a short record.
      const bound = isReference(version)
        ? await readBound(this.#db, scope, version)
        : boundRecord(scope, version);
      if (bound !== undefined) records.push({ stream, key, value, ...bound });
      if (version.length > LONG_VERSION) await giveTurn();
    }
    return { records, horizon: rows[0]?.horizon ?? request.horizon ?? 0 };
  }

  /** The record with that key, or the only one whose key begins so. */
  async find(
    stream: GrantedStream,
    key: string,
    match: 'exact' | 'prefix' = 'exact',
  ): Promise<Match | undefined> {
    const scope = this.#scopes.of(stream);
    const rows = await readRecords(this.#db, scope, key, match);
    const row = rows.length === 1 ? rows[0] : undefined;
    if (row === undefined) return undefined;
    const bound = await readBound(this.#db, scope, row.version);
    return bound && { stream, key: row.key, t: visibleTime(stream, row.t), ...bound };
  }

  /** The first keys of visible records that begin so. */
  async keys(stream: GrantedStream, beginning: string, limit: number): Promise<string[]> {
    const range = { from: beginning, below: `${beginning}\u{10ffff}` };
    return readKeys(this.#db, this.#scopes.of(stream), range, limit);
  }

  async count(
    stream: GrantedStream,
    conditions: readonly Condition[] = [],
    stretch: Stretch = {},
  ): Promise<number> {
    const scope = this.#scopes.of(stream);
    if (conditions.length > 0) return countRecords(this.#db, scope, conditions);
    const count = () => countPlain(this.#db, scope, stretch);
    // Of a whole stream it is asked for again and again, and it goes through all the days there are.
    return stretch.from === undefined && stretch.to === undefined
      ? this.#kept.read(['count', this.streams.indexOf(stream)], count)
      : count();
  }

  /** Visible records in each stretch of time. */
  async countStretches(
    stream: GrantedStream,
    stretches: readonly (readonly [from: number, to: number])[],
  ): Promise<number[]> {
    return countStretches(this.#db, this.#scopes.of(stream), stretches);
  }

  /** First and last event time; nothing where the time field is not granted. */
  async span(stream: GrantedStream): Promise<{ first: number; last: number } | undefined> {
    return stream.timeField === undefined ? undefined : readSpan(this.#db, this.#scopes.of(stream));
  }

  /** Records per month (UTC); nothing where the time field is not granted. */
  async months(stream: GrantedStream): Promise<{ month: string; n: number }[]> {
    return stream.timeField === undefined ? [] : readMonths(this.#db, this.#scopes.of(stream));
  }

  /** What a field holds over streams that share it. Kept until something is stored, for it looks at many records. */
  async values(streams: readonly GrantedStream[], name: string, most: number): Promise<FieldValues> {
    const [first] = streams as [GrantedStream];
    const scopes = streams.map((stream) => this.#scopes.of(stream));
    return this.#kept.read(
      ['values', streams.map((stream) => this.streams.indexOf(stream)), name, most],
      () => readValues(this.#db, scopes, fieldOf(first, name), most),
    );
  }

  /** What a field holds, over streams that share it, that has a text in it. */
  async similar(
    streams: readonly GrantedStream[],
    name: string,
    text: string,
    most: number,
  ): Promise<string[]> {
    const parts = streams.map((stream) => ({ scope: this.#scopes.of(stream), field: fieldOf(stream, name) }));
    return readSimilar(this.#db, parts, text, most);
  }

  /** Who the owner is in a field that holds persons: the values that mean them, none where that is not known. */
  async owner(stream: GrantedStream, name: string): Promise<readonly string[]> {
    const field = fieldOf(stream, name);
    if (field.person !== true) return [];
    return this.#kept.read(['owner', this.streams.indexOf(stream), name], async () =>
      readOwner(this.#db, this.#scopes.of(stream), field, await this.#flaggedAuthors(stream.connection)),
    );
  }

  async #flaggedAuthors({ connection_id }: Connection): Promise<string[]> {
    const scopes = this.streams
      .filter((stream) => stream.connection.connection_id === connection_id)
      .map((stream) => this.#scopes.of(stream));
    return this.#kept.read(['flagged authors', connection_id], () => readFlaggedAuthors(this.#db, scopes));
  }

  /** A read of this grant that is asked for again and again, kept until something is stored. */
  async keep<T>(
    name: string,
    streams: readonly GrantedStream[],
    more: readonly string[],
    read: () => Promise<T>,
  ): Promise<T> {
    return this.#kept.read([name, streams.map((stream) => this.streams.indexOf(stream)), ...more], read);
  }

  async changes(stream: GrantedStream, request: ChangesRequest): Promise<VisibleChange[]> {
    return readChanges(this.#db, this.#scopes.of(stream), request);
  }

  async horizon(): Promise<number> {
    return readHorizon(this.#db);
  }

  /**
   * The newest records of many streams, of which `choose` takes those that are read: few enough for one list. Streams
   * without a visible time have none.
   */
  async newest(
    streams: readonly GrantedStream[],
    perStream: number,
    choose: (found: NewestRecord[]) => readonly NewestRecord[],
  ): Promise<Match[]> {
    const timed = streams.filter((stream) => stream.timeField !== undefined);
    const scopes = timed.map((stream) => this.#scopes.of(stream));
    const places = await readNewest(this.#db, scopes, perStream);
    const chosen = choose(places.map((place) => ({ ...place, stream: timed[place.at] as GrantedStream })));
    const rows = await readAtPlaces(this.#db, scopes, chosen);
    const matches: Match[] = [];
    for (const { at, key, stream, t } of chosen) {
      const row = rows.find((one) => one.at === at && one.key === key);
      const bound = row && (await readBound(this.#db, scopes[at] as Scope, row.version));
      if (bound !== undefined) matches.push({ stream, key, t, ...bound });
    }
    return matches;
  }

  /** What visible records of some keys are called, in order of key; of a long name its beginning. */
  async names(stream: GrantedStream, keys: readonly string[]): Promise<readonly NamedKey[]> {
    const { titleField } = stream;
    if (titleField === undefined) return [];
    return readNames(this.#db, this.#scopes.of(stream), fieldOf(stream, titleField), keys);
  }

  /** Those of some keys that visible records have. */
  async knownKeys(stream: GrantedStream, keys: readonly string[]): Promise<readonly string[]> {
    return readKnownKeys(this.#db, this.#scopes.of(stream), keys);
  }

  /** The first keys of visible records that meet conditions, in order. */
  async keysWhere(
    stream: GrantedStream,
    conditions: readonly Condition[],
    most: number,
  ): Promise<readonly string[]> {
    return readKeysWhere(this.#db, this.#scopes.of(stream), conditions, most);
  }

  /** Visible records that a field gives one of some names, upper and lower case being the same. */
  async named(
    stream: GrantedStream,
    name: string,
    names: readonly string[],
    most: number,
  ): Promise<readonly NamedKey[]> {
    return readNamed(this.#db, this.#scopes.of(stream), fieldOf(stream, name), names, most);
  }

  /** The stream a relation leads to. Relations of a granted stream lead to granted streams only. */
  target(stream: GrantedStream, relation: Relationship): GrantedStream {
    return this.#scopes.target(stream, relation);
  }
}
