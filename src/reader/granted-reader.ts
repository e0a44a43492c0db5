import { ME } from '../filter/filter.ts';
import type { GrantedStreamTerms } from '../grants/grant.ts';
import { VersionCache } from '../limits/cache.ts';
import { yieldToEventLoop } from '../limits/yield-to-event-loop.ts';
import type { Catalog, Connection } from '../schema-index/catalog.ts';
import type { Relationship } from '../schema-index/declaration.ts';
import { AUTHOR_FIELDS, OWNER_FLAGS } from '../schema-index/person-field.ts';
import type { Condition } from '../store/conditions.ts';
import type {
  AuthorPart,
  ChangesRequest,
  FieldValues,
  NamedKey,
  NewestRow,
  PageRequest,
  Period,
  RecordReads,
  VisibleChange,
} from '../store/record-reads.ts';
import type { FieldKind, FieldRef, Scope } from '../store/scope.ts';
import type { ReadStore } from '../store/store.ts';
import type { Value } from '../store/values.ts';
import type { Dictionary } from '../words/spellings.ts';
import { type GrantedRecord, type Match, visibleTime } from './granted-record.ts';
import { fieldOf, GrantedScopes } from './granted-scopes.ts';
import type { GrantedStream } from './granted-stream.ts';
import { GrantedMeasures } from './measures/granted-measures.ts';
import { GrantedSearch } from './search/granted-search.ts';

export interface Page {
  readonly records: (GrantedRecord & { readonly value: Value })[];
  readonly horizon: number;
}

/** A visible record that `newest` may choose. */
export interface NewestRecord extends NewestRow {
  readonly stream: GrantedStream;
}

const MAX_CACHED_READS = 2_000;

/**
 * Reads the data of one grant. It exposes granted streams and fields and visible records only, and tools have no other
 * access to the database.
 */
export class GrantedReader {
  readonly streams: readonly GrantedStream[];
  readonly timeZone: string;
  readonly measures: GrantedMeasures;
  readonly search: GrantedSearch;
  readonly #records: RecordReads;
  readonly #scopes: GrantedScopes;
  /** Belongs to one grant, so hidden records neither fill nor evict it. */
  readonly #cache = new VersionCache<number, unknown>(MAX_CACHED_READS);

  constructor(
    store: ReadStore,
    catalog: Catalog,
    terms: readonly GrantedStreamTerms[],
    dictionary: Dictionary,
  ) {
    const { records } = store;
    this.#records = records;
    this.#scopes = new GrantedScopes(catalog, terms);
    this.streams = this.#scopes.streams;
    this.timeZone = catalog.timeZone;
    this.measures = new GrantedMeasures(records.measures, this.#scopes);
    this.search = new GrantedSearch(store, this.#scopes, dictionary);
  }

  async page(stream: GrantedStream, request: PageRequest): Promise<Page> {
    const { rows, horizon } = await this.#records.page(this.#scopes.of(stream), request);
    return { records: rows.map((row) => ({ stream, ...row })), horizon };
  }

  /** Returns the record with a key, or the only record whose key has that prefix. */
  async find(
    stream: GrantedStream,
    key: string,
    match: 'exact' | 'prefix' = 'exact',
  ): Promise<Match | undefined> {
    const rows = await this.#records.find(this.#scopes.of(stream), key, match);
    const [row] = rows;
    return rows.length !== 1 || row === undefined
      ? undefined
      : { stream, ...row, t: visibleTime(stream, row.t) };
  }

  /** Returns the first keys of visible records with a prefix. */
  async keys(stream: GrantedStream, prefix: string, limit: number): Promise<string[]> {
    const range = { from: prefix, below: `${prefix}\u{10ffff}` };
    return this.#records.keys(this.#scopes.of(stream), range, limit);
  }

  async count(
    stream: GrantedStream,
    conditions: readonly Condition[] = [],
    period: Period = {},
  ): Promise<number> {
    const count = () => this.#records.count(this.#scopes.of(stream), conditions, period);
    // Cached: whole streams are counted often, and a count reads every day of the stream.
    return conditions.length === 0 && period.from === undefined && period.to === undefined
      ? this.cached('count', [stream], [], count)
      : count();
  }

  /** Counts visible records in each period. */
  async countPeriods(
    stream: GrantedStream,
    periods: readonly (readonly [from: number, to: number])[],
  ): Promise<number[]> {
    return this.#records.countPeriods(this.#scopes.of(stream), periods);
  }

  /** Returns the first and last event time, or undefined if the time field is not granted. */
  async span(stream: GrantedStream): Promise<{ first: number; last: number } | undefined> {
    return stream.timeField === undefined ? undefined : this.#records.span(this.#scopes.of(stream));
  }

  /** Counts records per month (UTC); empty if the time field is not granted. */
  async months(stream: GrantedStream): Promise<{ month: string; n: number }[]> {
    return stream.timeField === undefined ? [] : this.#records.months(this.#scopes.of(stream));
  }

  /** Returns the values of a field that several streams share. */
  async values(streams: readonly GrantedStream[], name: string, limit: number): Promise<FieldValues> {
    const [first] = streams as [GrantedStream];
    const scopes = streams.map((stream) => this.#scopes.of(stream));
    return this.cached('values', streams, [name, String(limit)], () =>
      this.#records.values(scopes, fieldOf(first, name), limit),
    );
  }

  /** Returns values of a shared field that contain a text. */
  async valuesContaining(
    streams: readonly GrantedStream[],
    name: string,
    text: string,
    limit: number,
  ): Promise<string[]> {
    const parts = streams.map((stream) => ({ scope: this.#scopes.of(stream), field: fieldOf(stream, name) }));
    return this.#records.valuesContaining(parts, text, limit);
  }

  /**
   * Returns the values of a field that mean the owner: names of the account, and authors of visible records that the owner
   * wrote, if visible records have them in this field.
   */
  async owner(stream: GrantedStream, name: string): Promise<readonly string[]> {
    const field = fieldOf(stream, name);
    if (field.person !== true) return [];
    return this.cached('owner', [stream], [name], async () => {
      const known = [...this.#scopes.selfNames(stream), ...(await this.#flaggedAuthors(stream.connection))];
      const names = new Set([ME, ...known.flatMap((one) => [one, one.toLowerCase()])]);
      return this.#records.valuesAmong(this.#scopes.of(stream), field, [...names]);
    });
  }

  async #flaggedAuthors({ connection_id }: Connection): Promise<string[]> {
    const parts = this.streams
      .filter((stream) => stream.connection.connection_id === connection_id)
      .flatMap((stream) => findAuthorPart(this.#scopes.of(stream)) ?? []);
    return this.cached('flagged authors', [], [connection_id], () => this.#records.flaggedAuthors(parts));
  }

  /** Returns the result of a read over many records, cached until something is stored. */
  async cached<T>(
    name: string,
    streams: readonly GrantedStream[],
    options: readonly string[],
    read: () => Promise<T>,
  ): Promise<T> {
    const key = [name, streams.map((stream) => this.streams.indexOf(stream)), ...options];
    const compute = async () => {
      const found = await read();
      // Lets other requests run between two long reads.
      await yieldToEventLoop();
      return found;
    };
    return (await this.#cache.get(await this.horizon(), JSON.stringify(key), compute)) as T;
  }

  async changes(stream: GrantedStream, request: ChangesRequest): Promise<VisibleChange[]> {
    return this.#records.changes(this.#scopes.of(stream), request);
  }

  async horizon(): Promise<number> {
    return this.#records.horizon();
  }

  /** Reads the newest records of many streams that `choose` selects. Streams without a visible time are skipped. */
  async newest(
    streams: readonly GrantedStream[],
    perStream: number,
    choose: (found: NewestRecord[]) => readonly NewestRecord[],
  ): Promise<Match[]> {
    const timed = streams.filter((stream) => stream.timeField !== undefined);
    const scopes = timed.map((stream) => this.#scopes.of(stream));
    const rows = await this.#records.newest(scopes, perStream);
    const chosen = choose(rows.map((row) => ({ ...row, stream: timed[row.at] as GrantedStream })));
    const records = await this.#records.recordsAt(scopes, chosen);
    return chosen.flatMap(({ at, key, stream, t }) => {
      const found = records.find((one) => one.at === at && one.key === key);
      return found === undefined ? [] : [{ ...found, stream, key, t }];
    });
  }

  /** Returns the titles of visible records by key, in order of key. Long titles are cut. */
  async names(stream: GrantedStream, keys: readonly string[]): Promise<readonly NamedKey[]> {
    const { titleField } = stream;
    if (titleField === undefined) return [];
    return this.#records.names(this.#scopes.of(stream), fieldOf(stream, titleField), keys);
  }

  /** Returns the keys that visible records have. */
  async knownKeys(stream: GrantedStream, keys: readonly string[]): Promise<readonly string[]> {
    return this.#records.knownKeys(this.#scopes.of(stream), keys);
  }

  /** Returns the first keys of visible records that match conditions, in order. */
  async keysWhere(
    stream: GrantedStream,
    conditions: readonly Condition[],
    limit: number,
  ): Promise<readonly string[]> {
    return this.#records.keysWhere(this.#scopes.of(stream), conditions, limit);
  }

  /** Returns visible records whose field has one of these names, ignoring case. */
  async named(
    stream: GrantedStream,
    name: string,
    names: readonly string[],
    limit: number,
  ): Promise<readonly NamedKey[]> {
    return this.#records.named(this.#scopes.of(stream), fieldOf(stream, name), names, limit);
  }

  /** Returns the target stream of a relation. It is always granted. */
  target(stream: GrantedStream, relation: Relationship): GrantedStream {
    return this.#scopes.target(stream, relation);
  }
}

/** Returns the flag and author fields that identify records the owner wrote, if the stream has them. */
function findAuthorPart(scope: Scope): AuthorPart | undefined {
  const flag = OWNER_FLAGS.flatMap((name) => findSlotField(scope, name, 'boolean') ?? [])[0];
  if (flag === undefined) return undefined;
  return {
    scope,
    flag,
    authors: AUTHOR_FIELDS.flatMap((name) => findSlotField(scope, name, 'string') ?? []),
  };
}

function findSlotField({ stream, fields }: Scope, name: string, kind: FieldKind): FieldRef | undefined {
  const field =
    fields.has(name) && stream.plan.slots[name] !== undefined ? stream.fields.get(name) : undefined;
  return field?.kind === kind ? field : undefined;
}
