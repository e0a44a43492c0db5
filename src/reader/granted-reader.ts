import { ME } from '../filter/filter.ts';
import type { GrantedStreamTerms } from '../grants/grant.ts';
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
import { ReadCache } from './read-cache.ts';
import { GrantedSearch } from './search/granted-search.ts';

export interface Page {
  readonly records: (GrantedRecord & { readonly value: Value })[];
  readonly horizon: number;
}

/** A record that may be listed. */
export interface NewestRecord extends NewestRow {
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
  readonly #records: RecordReads;
  readonly #scopes: GrantedScopes;
  readonly #kept: ReadCache;

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
    this.#kept = new ReadCache(() => this.horizon());
    this.measures = new GrantedMeasures(records.measures, this.#scopes);
    this.search = new GrantedSearch(store, this.#scopes, dictionary);
  }

  async page(stream: GrantedStream, request: PageRequest): Promise<Page> {
    const { rows, horizon } = await this.#records.page(this.#scopes.of(stream), request);
    return { records: rows.map((row) => ({ stream, ...row })), horizon };
  }

  /** The record with that key, or the only one whose key begins so. */
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

  /** The first keys of visible records that begin so. */
  async keys(stream: GrantedStream, beginning: string, limit: number): Promise<string[]> {
    const range = { from: beginning, below: `${beginning}\u{10ffff}` };
    return this.#records.keys(this.#scopes.of(stream), range, limit);
  }

  async count(
    stream: GrantedStream,
    conditions: readonly Condition[] = [],
    period: Period = {},
  ): Promise<number> {
    const count = () => this.#records.count(this.#scopes.of(stream), conditions, period);
    // A whole stream is counted again and again, and that reads all of its days.
    return conditions.length === 0 && period.from === undefined && period.to === undefined
      ? this.#kept.read(['count', this.streams.indexOf(stream)], count)
      : count();
  }

  /** Visible records in each period. */
  async countPeriods(
    stream: GrantedStream,
    periods: readonly (readonly [from: number, to: number])[],
  ): Promise<number[]> {
    return this.#records.countPeriods(this.#scopes.of(stream), periods);
  }

  /** First and last event time; nothing where the time field is not granted. */
  async span(stream: GrantedStream): Promise<{ first: number; last: number } | undefined> {
    return stream.timeField === undefined ? undefined : this.#records.span(this.#scopes.of(stream));
  }

  /** Records per month (UTC); nothing where the time field is not granted. */
  async months(stream: GrantedStream): Promise<{ month: string; n: number }[]> {
    return stream.timeField === undefined ? [] : this.#records.months(this.#scopes.of(stream));
  }

  /** What a field holds over streams that share it. Kept until something is stored, for it looks at many records. */
  async values(streams: readonly GrantedStream[], name: string, most: number): Promise<FieldValues> {
    const [first] = streams as [GrantedStream];
    const scopes = streams.map((stream) => this.#scopes.of(stream));
    return this.#kept.read(
      ['values', streams.map((stream) => this.streams.indexOf(stream)), name, most],
      () => this.#records.values(scopes, fieldOf(first, name), most),
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
    return this.#records.valuesContaining(parts, text, most);
  }

  /**
   * The values of a field that mean the owner: names of the account, or authors of visible records that the owner wrote,
   * as far as visible records hold them in this field. None where that is not known.
   */
  async owner(stream: GrantedStream, name: string): Promise<readonly string[]> {
    const field = fieldOf(stream, name);
    if (field.person !== true) return [];
    return this.#kept.read(['owner', this.streams.indexOf(stream), name], async () => {
      const known = [...this.#scopes.selfNames(stream), ...(await this.#flaggedAuthors(stream.connection))];
      const names = new Set([ME, ...known.flatMap((one) => [one, one.toLowerCase()])]);
      return this.#records.valuesAmong(this.#scopes.of(stream), field, [...names]);
    });
  }

  async #flaggedAuthors({ connection_id }: Connection): Promise<string[]> {
    const parts = this.streams
      .filter((stream) => stream.connection.connection_id === connection_id)
      .flatMap((stream) => findAuthorPart(this.#scopes.of(stream)) ?? []);
    return this.#kept.read(['flagged authors', connection_id], () => this.#records.flaggedAuthors(parts));
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
    return this.#records.changes(this.#scopes.of(stream), request);
  }

  async horizon(): Promise<number> {
    return this.#records.horizon();
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
    const rows = await this.#records.newest(scopes, perStream);
    const chosen = choose(rows.map((row) => ({ ...row, stream: timed[row.at] as GrantedStream })));
    const records = await this.#records.recordsAt(scopes, chosen);
    return chosen.flatMap(({ at, key, stream, t }) => {
      const found = records.find((one) => one.at === at && one.key === key);
      return found === undefined ? [] : [{ ...found, stream, key, t }];
    });
  }

  /** What visible records of some keys are called, in order of key; of a long name its beginning. */
  async names(stream: GrantedStream, keys: readonly string[]): Promise<readonly NamedKey[]> {
    const { titleField } = stream;
    if (titleField === undefined) return [];
    return this.#records.names(this.#scopes.of(stream), fieldOf(stream, titleField), keys);
  }

  /** Those of some keys that visible records have. */
  async knownKeys(stream: GrantedStream, keys: readonly string[]): Promise<readonly string[]> {
    return this.#records.knownKeys(this.#scopes.of(stream), keys);
  }

  /** The first keys of visible records that meet conditions, in order. */
  async keysWhere(
    stream: GrantedStream,
    conditions: readonly Condition[],
    most: number,
  ): Promise<readonly string[]> {
    return this.#records.keysWhere(this.#scopes.of(stream), conditions, most);
  }

  /** Visible records that a field gives one of some names, upper and lower case being the same. */
  async named(
    stream: GrantedStream,
    name: string,
    names: readonly string[],
    most: number,
  ): Promise<readonly NamedKey[]> {
    return this.#records.named(this.#scopes.of(stream), fieldOf(stream, name), names, most);
  }

  /** The stream a relation leads to. Relations of a granted stream lead to granted streams only. */
  target(stream: GrantedStream, relation: Relationship): GrantedStream {
    return this.#scopes.target(stream, relation);
  }
}

/** How the records of a stream say which of them the owner wrote, if they do. */
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
