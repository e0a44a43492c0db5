import type { GrantedStreamTerms } from '../grants/grant.ts';
import { VersionCache } from '../limits/cache.ts';
import { yieldToEventLoop } from '../limits/yield-to-event-loop.ts';
import type { Catalog } from '../schema-index/catalog.ts';
import type { Relationship } from '../schema-index/declaration.ts';
import { getFieldFor } from '../schema-index/find-field.ts';
import type { Condition } from '../store/conditions.ts';
import { toValue } from '../store/field-value.ts';
import type {
  ChangesRequest,
  NewestRow,
  PageRequest,
  Period,
  RecordReads,
  Sort,
  VisibleChange,
} from '../store/record-reads.ts';
import type { ReadStore } from '../store/store.ts';
import { mergeRows, type Value } from '../store/values.ts';
import type { Dictionary } from '../words/spellings.ts';
import { GrantedLookups } from './granted-lookups.ts';
import { type GrantedRecord, type Match, visibleTime } from './granted-record.ts';
import { GrantedScopes } from './granted-scopes.ts';
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
  readonly lookups: GrantedLookups;
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
    this.lookups = new GrantedLookups(records, this.#scopes, this.cached.bind(this));
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

  /** Returns the target stream of a relation. It is always granted. */
  target(stream: GrantedStream, relation: Relationship): GrantedStream {
    return this.#scopes.target(stream, relation);
  }
}

/** A record of a list, with its sort value and the index of its stream. */
export type ListedRecord = Page['records'][number] & { readonly index: number };

/** A position in a list: the sort value, key and stream index of a record. */
export interface Position {
  readonly value: string | number | null;
  readonly key: string;
  readonly index: number;
}

export interface ListRequest {
  readonly streams: readonly GrantedStream[];
  readonly conditions: ReadonlyMap<GrantedStream, readonly Condition[]>;
  readonly sorts: ReadonlyMap<GrantedStream, Sort>;
  readonly limit: number;
  /** The change number of the snapshot that all pages show; absent on the first page. */
  readonly horizon?: number | undefined;
  readonly after?: Position | undefined;
}

/** Reads a page of a sorted list over one or several streams. */
export async function readList(
  reader: GrantedReader,
  { streams, conditions, sorts, limit, horizon, after }: ListRequest,
): Promise<{ records: ListedRecord[]; horizon: number }> {
  const sortOf = (stream: GrantedStream) => sorts.get(stream) as Sort;
  const [first] = streams as [GrantedStream];
  const pages: ListedRecord[][] = [];
  let readAt = horizon ?? 0;
  for (const [index, stream] of streams.entries()) {
    const page = await reader.page(stream, {
      conditions: conditions.get(stream) ?? [],
      sort: sortOf(stream),
      limit,
      ...(horizon === undefined ? {} : { horizon }),
      ...(after === undefined ? {} : { after: startAfter(after, index, sortOf(first)) }),
    });
    if (horizon === undefined) readAt = Math.max(readAt, page.horizon);
    pages.push(page.records.map((record) => ({ ...record, index })));
  }
  const [only, ...others] = pages as [ListedRecord[], ...ListedRecord[][]];
  return { records: others.length === 0 ? only : mergeRows(pages, sortOf(first)), horizon: readAt };
}

/** Returns the position of a record. Integers beyond 2^53 are encoded as strings. */
export function positionOf({ value, key, index }: ListedRecord): Position {
  return { value: typeof value === 'bigint' ? String(value) : value, key, index };
}

/** Returns where a stream continues: streams before the page's last one skip its sort value, later ones include it. */
function startAfter({ value, key, index: at }: Position, index: number, sort: Sort): PageRequest['after'] {
  const isDigits = sort.field?.kind === 'integer' && typeof value === 'string';
  return {
    value: isDigits ? toValue('integer', value, 'UTC') : value,
    key,
    ties: index < at ? 'none' : index === at ? 'after-key' : 'all',
  };
}

/** Returns the sort of each stream. The default is newest first if every time field is granted, otherwise by key. */
export function parseSort(
  sort: string | undefined,
  streams: readonly GrantedStream[],
): Map<GrantedStream, Sort> {
  const isTimed = streams.every((stream) => stream.timeField !== undefined);
  return new Map(
    streams.map((stream) => {
      if (sort === undefined || sort === '')
        return [
          stream,
          { field: isTimed ? stream.timeField : undefined, direction: isTimed ? 'desc' : 'asc' },
        ];
      const isDescending = sort.startsWith('-');
      const name = isDescending ? sort.slice(1) : sort;
      const field = getFieldFor(stream.fields, name, 'sort', 'sort', (one) => one.sort);
      return [stream, { field, direction: isDescending ? 'desc' : 'asc' }];
    }),
  );
}
