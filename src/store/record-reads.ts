import type { Condition, ZoneOffset } from './conditions.ts';
import type { BoundRecord } from './long-value.ts';
import type { FieldRef, Scope } from './scope.ts';
import type { Sum } from './sum.ts';
import type { Value } from './values.ts';

/** By one field, or by key where no field is named. Ties are ordered by key in the same direction. */
export interface Sort {
  readonly field: FieldRef | undefined;
  readonly direction: 'asc' | 'desc';
}

/** Where the previous page ended: the sort value and key of its last record, and what to do with equal values. */
export interface After {
  readonly value: Value;
  readonly key: string;
  readonly ties: 'none' | 'after-key' | 'all';
}

export interface PageRequest {
  readonly conditions: readonly Condition[];
  readonly sort: Sort;
  readonly limit: number;
  readonly after?: After | undefined;
  /** The change number that the first page was read at; later pages show the stream as it was then. */
  readonly horizon?: number | undefined;
}

export interface PageRow extends BoundRecord {
  readonly key: string;
  /** What the record was sorted by. */
  readonly value: Value;
}

export interface RecordPage {
  readonly rows: readonly PageRow[];
  readonly horizon: number;
}

export interface RecordRow extends BoundRecord {
  readonly key: string;
  readonly t: number;
}

/** A record as it is now to the reader, or a mark that it left their view. */
export type VisibleChange = ({ key: string } & BoundRecord) | { key: string; removed: true };

export interface ChangesRequest {
  /** Changes after this number, up to and including the horizon. */
  readonly since: number;
  readonly horizon: number;
  readonly afterKey: string | undefined;
  readonly limit: number;
}

/** A period without its end. Without bounds, records without a time count too. */
export interface Period {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** A range of keys. Both ends are optional; the upper one is excluded. */
export interface KeyRange {
  readonly after?: string | undefined;
  readonly from?: string | undefined;
  readonly below?: string | undefined;
}

/** A record by its key, with its name. */
export interface NamedKey {
  readonly key: string;
  readonly name: string;
}

/** A record found in one of a list of scopes. */
export interface NewestRow {
  /** The index of the scope in the list. */
  readonly at: number;
  readonly t: number;
  readonly key: string;
}

/** The values that a field has, the most frequent first; ties in order of value. */
export interface FieldValues {
  readonly values: readonly Value[];
  /** The number of distinct values among the records that were read. */
  readonly total: number;
}

/** How many records of a stream are read for its values: the newest where their time is granted, else the first by key. */
export const MAX_VALUE_RECORDS = 50_000;

/** One stream with its own copy of a field. */
export interface FieldPart {
  readonly scope: Scope;
  readonly field: FieldRef;
}

/** A stream whose records say which of them the owner wrote, and the fields that name the author. */
export interface AuthorPart {
  readonly scope: Scope;
  readonly flag: FieldRef;
  readonly authors: readonly FieldRef[];
}

export type Metric = 'count' | 'count_distinct' | 'sum' | 'avg' | 'min' | 'max';

/** How sums are added: in floating point, which is fast, or exactly. */
export type Adding = 'near' | 'exact';

/** What is measured of some records: for sum and avg a sum, else one value. */
export interface Total {
  value: Value | Sum;
  records: number;
}

/** How times become groups: periods between edges, or units of a clock, consecutive or recurring. */
export type TimeParts =
  | { readonly kind: 'edges'; readonly edges: readonly number[] }
  | {
      readonly kind: 'hour' | 'day' | 'week' | 'weekday' | 'hour_of_day';
      readonly offsets: readonly ZoneOffset[];
    };

/** What records are grouped by: a field of theirs, one of the record they refer to, or their connection. */
export type GroupColumn =
  | { readonly kind: 'own'; readonly field: FieldRef }
  | { readonly kind: 'related'; readonly field: FieldRef; readonly key: FieldRef; readonly target: Scope }
  | { readonly kind: 'connection'; readonly field: FieldRef };

/** One stream of an aggregation, with its own copy of the fields and conditions. */
export interface MeasuredPart {
  readonly scope: Scope;
  readonly conditions: readonly Condition[];
  /** What is summed or counted; none for a plain count. */
  readonly field: FieldRef | undefined;
  readonly groupBy: readonly GroupColumn[];
}

/** A stream with the field that ranges apply to, and the conditions of each range. */
export interface RangedPart extends MeasuredPart {
  readonly ranged: FieldRef;
  readonly ranges: readonly (readonly Condition[])[];
}

export interface GroupOrder {
  /** `size` is by value, reversed where no value is above zero. */
  readonly by: 'value' | 'size' | 'group';
  readonly direction: 'asc' | 'desc';
}

export interface Groups extends Total {
  groups: ({ by: Value[] } & Total)[];
  /** The number of all groups; value and records are those of all of them. */
  groupCount: number;
  /** The order of the groups, in the form that a request takes. */
  sort: 'value' | '-value' | 'group' | '-group';
  /** Whether the order is certain: not where near sums leave their rounding open. */
  isOrdered: boolean;
}

/** What to measure. */
export interface MetricRequest {
  readonly metric: Metric;
  readonly adding: Adding;
}

/** Aggregations over visible records of one or more streams. */
export interface MeasureReads {
  total(parts: readonly MeasuredPart[], request: MetricRequest): Promise<Total>;
  /** One total for each period of the time that each stream is ordered by. */
  totalsByPeriod(
    parts: readonly MeasuredPart[],
    request: MetricRequest,
    periods: readonly (readonly [from: number, to: number])[],
  ): Promise<Total[]>;
  /** One total for each range. Ranges may overlap. */
  totalsByRange(parts: readonly RangedPart[], request: MetricRequest): Promise<Total[]>;
  /** Whether the first group column has more than one value among records that have something to measure. */
  isMixed(parts: readonly MeasuredPart[]): Promise<boolean>;
  /** The minimum or maximum of the measured field, which must be a time. */
  extreme(parts: readonly MeasuredPart[], metric: 'min' | 'max'): Promise<number | undefined>;
  /** The first groups in an order, with enough about the rest to account for every record. */
  groups(
    parts: readonly MeasuredPart[],
    request: MetricRequest & { readonly time?: TimeParts },
    order: GroupOrder,
    limit: number,
  ): Promise<Groups>;
  /** Totals of periods between neighbouring edges, by the index of the period; the first group column is the time. */
  buckets(
    parts: readonly MeasuredPart[],
    request: MetricRequest,
    edges: readonly number[],
  ): Promise<Map<number, Total>>;
}

/**
 * Reads of records. Each takes the scope that a grant allows, and reads nothing outside of it. Two stores that differ
 * only in what a scope hides return the same.
 */
export interface RecordReads {
  /** The number of the latest change in the store. */
  horizon(): Promise<number>;
  page(scope: Scope, request: PageRequest): Promise<RecordPage>;
  /** Records whose key is this one, or begins with it (at most two are returned). */
  find(scope: Scope, key: string, match: 'exact' | 'prefix'): Promise<RecordRow[]>;
  changes(scope: Scope, request: ChangesRequest): Promise<VisibleChange[]>;
  /** The newest records of each of several streams. */
  newest(scopes: readonly Scope[], perScope: number): Promise<NewestRow[]>;
  /** The records of such rows, without those that are gone since. */
  recordsAt(
    scopes: readonly Scope[],
    rows: readonly NewestRow[],
  ): Promise<(BoundRecord & { readonly at: number; readonly key: string })[]>;

  /** The first keys in a range, in order. */
  keys(scope: Scope, range: KeyRange, limit: number): Promise<string[]>;
  /** Those of the keys that visible records have. */
  knownKeys(scope: Scope, keys: readonly string[]): Promise<string[]>;
  /** Keys of records that meet conditions, in order. */
  keysWhere(scope: Scope, conditions: readonly Condition[], limit: number): Promise<string[]>;
  /** The beginnings of a text field of some records, in order of key. */
  names(scope: Scope, field: FieldRef, keys: readonly string[]): Promise<NamedKey[]>;
  /** Records that a field gives one of some names, case-insensitively, in order of key. */
  named(scope: Scope, field: FieldRef, names: readonly string[], limit: number): Promise<NamedKey[]>;

  count(scope: Scope, conditions: readonly Condition[], period?: Period): Promise<number>;
  countTogether(scopes: readonly Scope[]): Promise<number>;
  countPeriods(scope: Scope, periods: readonly (readonly [from: number, to: number])[]): Promise<number[]>;
  /** Records per month (UTC, `2026-01`), oldest first, without empty months. */
  months(scope: Scope): Promise<{ month: string; n: number }[]>;
  /** The first and the last time. */
  span(scope: Scope): Promise<{ first: number; last: number } | undefined>;

  values(scopes: readonly Scope[], field: FieldRef, limit: number): Promise<FieldValues>;
  /** Values of a field that contain a text, the most frequent first. */
  valuesContaining(parts: readonly FieldPart[], text: string, limit: number): Promise<string[]>;
  /** Those of the names that records have in a field, in order. */
  valuesAmong(scope: Scope, field: FieldRef, names: readonly string[]): Promise<string[]>;
  /** The authors of the newest records that are flagged as the owner's. */
  flaggedAuthors(parts: readonly AuthorPart[]): Promise<string[]>;

  readonly measures: MeasureReads;
}
