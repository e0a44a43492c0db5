import type { Kysely } from 'kysely';
import type { GrantedStreamTerms } from '../grants/grant.ts';
import { giveTurn } from '../limits/give-turn.ts';
import type { Catalog } from '../schema-index/catalog.ts';
import { findStream } from '../schema-index/catalog.ts';
import type { Relationship } from '../schema-index/declaration.ts';
import type { Field, Metric } from '../schema-index/field.ts';
import type { Condition } from '../schema-index/filter.ts';
import { cutTexts, MOST_CHARACTERS } from '../store/functions/slim-record.ts';
import type { ReadStore } from '../store/open-store.ts';
import { NO_TIME, type SlotValue, type Tables } from '../store/tables.ts';
import { quoteWord } from '../words/match-expression.ts';
import { createGrantedStream, findTarget, type GrantedStream } from './granted-stream.ts';
import { CONNECTION, type GroupColumn } from './group-column.ts';
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
import { hasMatch, type MatchedRow, type MatchPart, type MatchRequest, readMatches } from './read-matches.ts';
import { type PageRequest, readPage } from './read-page.ts';
import { readByKeys, readRecords } from './read-records.ts';
import { readSpan } from './read-span.ts';
import { readTexts } from './read-texts.ts';
import { type FieldValues, readValues } from './read-values.ts';
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

/** Finds words of the index like a word, visible or not. */
export type FindSimilar = (word: string) => Promise<string[]>;

const MOST_SIMILAR = 8;

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
  readonly #values = new Map<string, FieldValues>();
  #valuesAt = 0;

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

  /** What a field holds over streams that share it. Kept until something is stored, for it looks at many records. */
  async values(streams: readonly GrantedStream[], name: string, most: number): Promise<FieldValues> {
    const horizon = await this.horizon();
    if (this.#valuesAt !== horizon) this.#values.clear();
    this.#valuesAt = horizon;
    const key = JSON.stringify([streams.map((stream) => this.streams.indexOf(stream)), name, most]);
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const [first] = streams as [GrantedStream];
    const scopes = streams.map((stream) => this.#scopeOf(stream));
    const found = await readValues(this.#db, scopes, fieldOf(first, name), most);
    this.#values.set(key, found);
    await giveTurn();
    return found;
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
   * Matches over several streams, at most `limit` of them together: the newest, and first those with a
   * visible time.
   */
  async matches(where: MatchScope, request: MatchRequest): Promise<Found[]> {
    const byId = new Map(where.streams.map((stream) => [this.#scopeOf(stream).stream.streamId, stream]));
    return (await readMatches(this.#db, this.#matchParts(where), request)).map((row) => {
      const stream = byId.get(row.stream_id) as GrantedStream;
      const found = { stream, key: row.key, t: this.#visibleTime(stream, row.t) };
      this.#rows.set(found, row);
      return found;
    });
  }

  async hasMatch(where: MatchScope, expression: string): Promise<boolean> {
    return hasMatch(this.#db, this.#matchParts(where), expression);
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
   * tried in turn until enough are visible, so that hidden words cannot crowd visible ones out.
   */
  async similarWords(streams: readonly GrantedStream[], word: string): Promise<string[]> {
    const visible: string[] = [];
    const where = { streams, conditions: new Map() };
    for (const candidate of await this.#findSimilar(word)) {
      if (await this.hasMatch(where, quoteWord(candidate))) visible.push(candidate);
      if (visible.length >= MOST_SIMILAR) break;
      await giveTurn();
    }
    return visible;
  }

  /** Records by their keys, of those that are visible; in no order. */
  async byKeys(
    stream: GrantedStream,
    keys: readonly string[],
  ): Promise<{ key: string; record: Record<string, unknown> }[]> {
    return readByKeys(this.#db, this.#scopeOf(stream), keys);
  }

  /** What a group is called by: a field of the stream, of the one record it points to, or the connection. */
  groupField(stream: GrantedStream, name: string): Field | undefined {
    const own = stream.fields.get(name);
    if (own !== undefined) return own;
    if (name === CONNECTION.name) return CONNECTION;
    const relation = findRelation(stream, name);
    return relation && this.target(stream, relation).fields.get(name.slice(relation.name.length + 1));
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

  #matchParts({ streams, conditions }: MatchScope): MatchPart[] {
    return streams.map((stream) => ({
      scope: this.#scopeOf(stream),
      conditions: conditions.get(stream) ?? [],
    }));
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
      groupBy: measure.groupBy.map((name) => this.#groupColumn(stream, name)),
    }));
  }

  /** `field`, `relation.field`, or the connection. */
  #groupColumn(stream: GrantedStream, name: string): GroupColumn {
    const field = this.groupField(stream, name);
    if (field === undefined) throw new Error('a field outside the grant reached the reader');
    if (field === CONNECTION) return { kind: 'connection', field };
    const relation = stream.fields.has(name) ? undefined : findRelation(stream, name);
    if (relation === undefined) return { kind: 'own', field };
    const target = this.#scopeOf(this.target(stream, relation));
    return { kind: 'related', field, key: fieldOf(stream, relation.foreign_key), target };
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

/** The relation to one record that a name of the form `relation.field` goes through. */
function findRelation(stream: GrantedStream, name: string): Relationship | undefined {
  return stream.relations.find(
    (one) =>
      one.cardinality === 'has_one' &&
      name.startsWith(`${one.name}.`) &&
      stream.fields.get(one.foreign_key)?.group === true,
  );
}

function fieldOf(stream: GrantedStream, name: string): Field {
  const field = stream.fields.get(name);
  if (field === undefined) throw new Error('a field outside the grant reached the reader');
  return field;
}
