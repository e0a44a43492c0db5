import type { Kysely } from 'kysely';
import type { GrantedStreamTerms } from '../grants/grant.ts';
import type { Catalog } from '../schema-index/catalog.ts';
import { findStream } from '../schema-index/catalog.ts';
import type { Relationship } from '../schema-index/declaration.ts';
import type { Field, Metric } from '../schema-index/field.ts';
import type { Condition } from '../schema-index/filter.ts';
import { cutTexts, MOST_CHARACTERS } from '../store/functions/slim-record.ts';
import type { ReadStore } from '../store/open-store.ts';
import { streamOf } from '../store/rid.ts';
import { NO_TIME, type SlotValue, type Tables } from '../store/tables.ts';
import { quoteWord } from '../words/match-expression.ts';
import { createGrantedStream, findTarget, type GrantedStream, namesPeople } from './granted-stream.ts';
import type { Adding, Total } from './metric-sql.ts';
import {
  type GroupOrder,
  type Groups,
  type Part,
  readBuckets,
  readExtreme,
  readGroups,
  readTotal,
} from './read-aggregate.ts';
import { type ChangesRequest, readChanges, type VisibleChange } from './read-changes.ts';
import { countPlain, countRecords, readMonths, type Stretch } from './read-counts.ts';
import { readHorizon } from './read-horizon.ts';
import { type MatchedRow, type MatchPart, type MatchRequest, readMatches } from './read-matches.ts';
import { type PageRequest, readPage } from './read-page.ts';
import {
  COLUMN,
  countMatching,
  type MeasuredRow,
  readMatching,
  readNewest,
  readPlaces,
  type Spelling,
} from './read-places.ts';
import { readRecords } from './read-records.ts';
import { readSpan } from './read-span.ts';
import { readTexts } from './read-texts.ts';
import { readBeginning } from './read-words.ts';
import { createScope, projectRecord, type Scope } from './scope.ts';

/** A record as the grant shows it. `value` is what it was sorted by. */
export interface GrantedRecord {
  readonly stream: GrantedStream;
  readonly key: string;
  readonly record: Record<string, unknown>;
}

export interface Page {
  readonly records: (GrantedRecord & { readonly value: SlotValue })[];
  readonly horizon: number;
}

export interface Match extends GrantedRecord {
  /** The event time in milliseconds, if there is one and its field is granted. */
  readonly t: number | undefined;
}

/** A record that words were found in; what it holds is not read yet. */
export type Found = Omit<Match, 'record'>;

/** Which records words are looked for in. */
export interface MatchScope {
  readonly streams: readonly GrantedStream[];
  readonly conditions: ReadonlyMap<GrantedStream, readonly Condition[]>;
}

/** An aggregation over streams that share field names: what to measure and what to group by, by name. */
export interface Measure {
  readonly streams: readonly GrantedStream[];
  readonly metric: Metric;
  readonly adding: Adding;
  readonly field: string | undefined;
  readonly groupBy: readonly string[];
  readonly conditions: ReadonlyMap<GrantedStream, readonly Condition[]>;
}

/** What a searched field is for a record. */
export type FieldRole = 'title' | 'people' | 'body';

/** Where a word stands, in three lists side by side: a record's number, the role of the field, the place in its text. */
export interface GrantedPlaces {
  readonly records: readonly number[];
  readonly roles: readonly FieldRole[];
  readonly places: readonly number[];
}

/** A record that words were found in, under its number, and how many words its granted texts have. */
export interface MeasuredFound {
  readonly record: number;
  readonly found: Found;
  readonly words: number;
}

/** A word that occurs in visible records, and in how many. */
export interface CountedWord {
  readonly word: string;
  readonly count: number;
}

/** Finds words of the index like a word, visible or not; nothing while it is not ready. */
export type FindSimilar = (word: string) => Promise<string[] | undefined>;

const MOST_SIMILAR = 8;
const MOST_FORMS = 12;
/** Counts of words that are kept for one choice of streams, and choices. */
const MOST_KEPT = 5_000;
const MOST_SCOPES = 20;

/**
 * All that a tool ever holds. It names only granted streams and fields, reads only visible records, and
 * keeps the database to itself: there is no other way from a tool to the data.
 */
export class GrantedReader {
  readonly streams: readonly GrantedStream[];
  readonly timeZone: string;
  readonly #db: Kysely<Tables>;
  readonly #scopes = new Map<GrantedStream, Scope>();
  /** Where the records lie that were handed out as found. */
  readonly #rows = new WeakMap<Found, MatchedRow>();
  readonly #findSimilar: FindSimilar;
  /** A search asks about the same records again and again. */
  readonly #matchScopes = new WeakMap<MatchScope, readonly MatchPart[]>();
  readonly #counted = new WeakMap<MatchScope, Map<string, number>>();
  #kept = { horizon: -1, byStreams: new Map<string, Map<string, number>>() };

  constructor(
    store: ReadStore,
    catalog: Catalog,
    terms: readonly GrantedStreamTerms[],
    findSimilar: FindSimilar,
  ) {
    this.#db = store.db;
    this.#findSimilar = findSimilar;
    this.timeZone = catalog.timeZone;
    const scopes = terms.flatMap((one) => {
      const stream = findStream(catalog, one.connection_id, one.stream);
      return (stream && createScope(stream, one)) ?? [];
    });
    this.streams = scopes.map((scope) => {
      const stream = createGrantedStream(scope, scopes);
      this.#scopes.set(stream, scope);
      return stream;
    });
  }

  async page(stream: GrantedStream, request: PageRequest): Promise<Page> {
    const scope = this.#scopeOf(stream);
    const rows = await readPage(this.#db, scope, request);
    return {
      records: rows.map((row) => ({
        stream,
        key: row.key,
        value: row.value,
        record: projectForList(scope, row.data),
      })),
      horizon: rows[0]?.horizon ?? request.horizon ?? 0,
    };
  }

  /** The record with that key, or the only one whose key begins so. */
  async find(
    stream: GrantedStream,
    key: string,
    match: 'exact' | 'prefix' = 'exact',
  ): Promise<Match | undefined> {
    const scope = this.#scopeOf(stream);
    const rows = await readRecords(this.#db, scope, key, match);
    const row = rows.length === 1 ? rows[0] : undefined;
    return row && this.#toMatch(stream, scope, row);
  }

  async count(
    stream: GrantedStream,
    conditions: readonly Condition[] = [],
    stretch: Stretch = {},
  ): Promise<number> {
    const scope = this.#scopeOf(stream);
    return conditions.length === 0
      ? countPlain(this.#db, scope, stretch)
      : countRecords(this.#db, scope, conditions);
  }

  /** First and last event time; nothing where the time field is not granted. */
  async span(stream: GrantedStream): Promise<{ first: number; last: number } | undefined> {
    return stream.timeField === undefined ? undefined : readSpan(this.#db, this.#scopeOf(stream));
  }

  /** Records per month; nothing where the time field is not granted. */
  async months(stream: GrantedStream): Promise<{ month: string; n: number }[]> {
    return stream.timeField === undefined ? [] : readMonths(this.#db, this.#scopeOf(stream));
  }

  async changes(stream: GrantedStream, request: ChangesRequest): Promise<VisibleChange[]> {
    return readChanges(this.#db, this.#scopeOf(stream), request);
  }

  async horizon(): Promise<number> {
    return readHorizon(this.#db);
  }

  async total(measure: Measure): Promise<Total> {
    return readTotal(this.#db, this.#parts(measure), measure.metric, measure.adding);
  }

  /** The least or greatest value of the measured field, which must be a time. */
  async extreme(measure: Measure, metric: 'min' | 'max'): Promise<number | undefined> {
    return readExtreme(this.#db, this.#parts({ ...measure, groupBy: [] }), metric);
  }

  async groups(measure: Measure, order: GroupOrder, limit: number): Promise<Groups> {
    return readGroups(this.#db, this.#parts(measure), measure.metric, measure.adding, order, limit);
  }

  /** Per stretch of time between neighbouring edges; the first of `groupBy` is the time. */
  async buckets(measure: Measure, edges: readonly number[]): Promise<Map<number, Total>> {
    return readBuckets(this.#db, this.#parts(measure), measure.metric, measure.adding, edges);
  }

  /**
   * The numbers of the newest records that match, at most so many, and first those with a visible time. A record's
   * number is good for this reader and this search; it means nothing by itself.
   */
  async newestMatching(where: MatchScope, request: MatchRequest): Promise<number[]> {
    return (await readMatches(this.#db, this.#matchParts(where), request)).map(({ rid }) => rid);
  }

  /** The numbers of records that match, at most so many. */
  async matching(where: MatchScope, expression: string, most: number): Promise<number[]> {
    return readMatching(this.#db, this.#matchParts(where), expression, most);
  }

  /** How many records match, counted up to a number. Kept while nothing changes: words are asked for again. */
  async countMatching(where: MatchScope, expression: string, most: number): Promise<number> {
    const kept = await this.#keptCounts(where);
    const name = `${most} ${expression}`;
    const count =
      kept.get(name) ?? (await countMatching(this.#db, this.#matchParts(where), expression, most));
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(name, count);
    return count;
  }

  /** Every place where a word stands in what is granted. */
  async places(where: MatchScope, spelling: Spelling): Promise<GrantedPlaces> {
    const { rids, places } = await readPlaces(this.#db, this.#matchParts(where), spelling);
    const roles = new Map(
      where.streams.map((stream) => [this.#scopeOf(stream).stream.streamId, this.#rolesOf(stream)]),
    );
    return {
      records: rids,
      roles: rids.map(
        (rid, at) => roles.get(streamOf(rid))?.[Math.floor((places[at] as number) / COLUMN)] ?? 'body',
      ),
      places,
    };
  }

  /** The newest of records, in the order of newestMatching. What is gone or hidden since is left out. */
  async newest(where: MatchScope, records: readonly number[], most: number): Promise<MeasuredFound[]> {
    const byId = new Map(where.streams.map((stream) => [this.#scopeOf(stream).stream.streamId, stream]));
    const rows = await readNewest(this.#db, this.#matchParts(where), records, most);
    return rows.map((row) => {
      const found = this.#toFound(byId.get(row.stream_id) as GrantedStream, row);
      return { record: row.rid, found, words: row.words.reduce((sum, count) => sum + count, 0) };
    });
  }

  /** How many records the streams have together. */
  async countAll(where: MatchScope): Promise<number> {
    const kept = await this.#keptCounts(where);
    const known = kept.get('');
    if (known !== undefined) return known;
    let total = 0;
    for (const stream of where.streams) total += await this.count(stream);
    kept.set('', total);
    return total;
  }

  /**
   * Records that were found, one after another, with those of their fields that are named, texts cut after so
   * many characters. One that is gone or hidden since is left out.
   */
  async *texts(
    found: readonly Found[],
    fields: (stream: GrantedStream) => readonly string[],
    characters: number,
  ): AsyncGenerator<{ found: Found; record: Record<string, unknown> }> {
    const byRow = new Map(found.map((one) => [this.#rowOf(one), one]));
    const streams = [...new Set(found.map((one) => one.stream))];
    const request = {
      fields: new Map(streams.map((stream) => [this.#scopeOf(stream).stream.streamId, fields(stream)])),
      characters,
    };
    const parts = this.#matchParts({ streams, conditions: new Map() });
    for await (const { row, record } of readTexts(this.#db, parts, [...byRow.keys()], request)) {
      yield { found: byRow.get(row) as Found, record };
    }
  }

  /**
   * Words like a misspelt one that occur in visible records, nearest first. Every word of the index is
   * tried in turn until enough are visible, so that hidden words cannot crowd visible ones out. Nothing while the
   * dictionary is being read.
   */
  async similarWords(where: MatchScope, word: string, countTo: number): Promise<CountedWord[] | undefined> {
    const similar = await this.#findSimilar(word);
    return similar && this.#keepVisible(where, similar, MOST_SIMILAR, countTo);
  }

  /** Words that begin so, pass the test and occur in visible records. */
  async wordForms(
    where: MatchScope,
    beginning: string,
    isForm: (word: string) => boolean,
    countTo: number,
  ): Promise<CountedWord[]> {
    const forms = (await readBeginning(this.#db, beginning)).filter(isForm);
    return this.#keepVisible(where, forms, MOST_FORMS, countTo);
  }

  /** The first so many words that occur in visible records, and in how many, counted up to a number. */
  async #keepVisible(
    where: MatchScope,
    words: readonly string[],
    most: number,
    countTo: number,
  ): Promise<CountedWord[]> {
    const visible: CountedWord[] = [];
    for (const word of words) {
      const count = await this.countMatching(where, quoteWord(word), countTo);
      if (count > 0) visible.push({ word, count });
      if (visible.length >= most) break;
    }
    return visible;
  }

  /** What each text column of a stream is for its records. */
  #rolesOf(stream: GrantedStream): FieldRole[] {
    const roles: FieldRole[] = [];
    for (const [name, column] of Object.entries(this.#scopeOf(stream).stream.plan.texts))
      roles[column] = name === stream.titleField ? 'title' : namesPeople(name) ? 'people' : 'body';
    return roles;
  }

  #toFound(stream: GrantedStream, row: MeasuredRow): Found {
    const found = { stream, key: row.key, t: this.#visibleTime(stream, row.t) };
    this.#rows.set(found, row);
    return found;
  }

  /** The stream a relation leads to. Relations of a granted stream lead to granted streams only. */
  target(stream: GrantedStream, relation: Relationship): GrantedStream {
    const scope = findTarget(relation, this.#scopeOf(stream).stream, [...this.#scopes.values()]);
    const entry = [...this.#scopes].find(([, other]) => other === scope);
    if (entry === undefined) throw new Error('a relation left the grant');
    return entry[0];
  }

  #toMatch(stream: GrantedStream, scope: Scope, row: { key: string; t: number; data: string }): Match {
    return {
      stream,
      key: row.key,
      t: this.#visibleTime(stream, row.t),
      record: projectRecord(scope, row.data),
    };
  }

  #matchParts(where: MatchScope): readonly MatchPart[] {
    const known = this.#matchScopes.get(where);
    if (known !== undefined) return known;
    const parts = where.streams.map((stream) => ({
      scope: this.#scopeOf(stream),
      conditions: where.conditions.get(stream) ?? [],
    }));
    this.#matchScopes.set(where, parts);
    return parts;
  }

  /** What was counted for these streams since the last change; with conditions, for this request alone. */
  async #keptCounts(where: MatchScope): Promise<Map<string, number>> {
    const known = this.#counted.get(where);
    if (known !== undefined) return known;
    const horizon = await this.horizon();
    if (this.#kept.horizon !== horizon) this.#kept = { horizon, byStreams: new Map() };
    const isPlain = where.streams.every((stream) => (where.conditions.get(stream) ?? []).length === 0);
    const name = where.streams.map((stream) => this.#scopeOf(stream).stream.streamId).join(' ');
    const counts = (isPlain ? this.#kept.byStreams.get(name) : undefined) ?? new Map<string, number>();
    if (this.#kept.byStreams.size >= MOST_SCOPES) this.#kept.byStreams.clear();
    if (isPlain) this.#kept.byStreams.set(name, counts);
    this.#counted.set(where, counts);
    return counts;
  }

  /** Only what this reader has found has a row, so a record cannot be made up. */
  #rowOf(found: Found): MatchedRow {
    const row = this.#rows.get(found);
    if (row === undefined) throw new Error('a record that was not found reached the reader');
    return row;
  }

  #visibleTime(stream: GrantedStream, t: number): number | undefined {
    return stream.timeField === undefined || t === NO_TIME ? undefined : t;
  }

  #parts(measure: Measure): Part[] {
    return measure.streams.map((stream) => ({
      scope: this.#scopeOf(stream),
      conditions: measure.conditions.get(stream) ?? [],
      field: measure.field === undefined ? undefined : fieldOf(stream, measure.field),
      groupBy: measure.groupBy.map((name) => fieldOf(stream, name)),
    }));
  }

  /** Only streams that this reader handed out have a scope, so a stream cannot be made up. */
  #scopeOf(stream: GrantedStream): Scope {
    const scope = this.#scopes.get(stream);
    if (scope === undefined) throw new Error('a stream of another grant reached the reader');
    return scope;
  }
}

/** As a list shows it: long texts are cut after projecting, so that each depends on itself alone. */
function projectForList(scope: Scope, data: string): Record<string, unknown> {
  const record = projectRecord(scope, data);
  // What is short as a whole holds no long text.
  return data.length > MOST_CHARACTERS ? cutTexts(record) : record;
}

function fieldOf(stream: GrantedStream, name: string): Field {
  const field = stream.fields.get(name);
  if (field === undefined) throw new Error('a field outside the grant reached the reader');
  return field;
}
