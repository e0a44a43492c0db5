import type { Condition, ZoneOffset } from './conditions.ts';
import type { BoundRecord } from './long-value.ts';
import type { FieldRef, Scope } from './scope.ts';
import type { Sum } from './sum.ts';
import type { Value } from './values.ts';

/** An order by one field, or by key if there is no field. Ties are ordered by key in the same direction. */
export interface Sort {
  readonly field: FieldRef | undefined;
  readonly direction: 'asc' | 'desc';
}

/** Where the previous page ended: the sort value and key of its last record, and which records with that value follow. */
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
  /** The change number at which the first page was read. Later pages show the stream as it was then. */
  readonly horizon?: number | undefined;
}

export interface PageRow extends BoundRecord {
  readonly key: string;
  /** The sort value of the record. */
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

/** The granted part of a changed record, or a mark that the record is no longer visible. */
export type VisibleChange = ({ key: string } & BoundRecord) | { key: string; removed: true };

export interface ChangesRequest {
  /** Changes after this change number, up to and including the horizon, are returned. */
  readonly since: number;
  readonly horizon: number;
  readonly afterKey: string | undefined;
  readonly limit: number;
}

/** A period, its end excluded. Records without a time are counted only if there are no bounds. */
export interface Period {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** A range of keys: above `after`, from `from` on, below `below`. Each bound is optional. */
export interface KeyRange {
  readonly after?: string | undefined;
  readonly from?: string | undefined;
  readonly below?: string | undefined;
}

/** The key and the name of a record. */
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

/** Values of a field, the most frequent first; ties in order of value. */
export interface FieldValues {
  readonly values: readonly Value[];
  /** The number of distinct values among the records that were read. */
  readonly total: number;
}

/** The number of records of a stream that are read for its values: the newest if the time is granted, else the first by key. */
export const MAX_VALUE_RECORDS = 50_000;

/** One stream and its field. */
export interface FieldPart {
  readonly scope: Scope;
  readonly field: FieldRef;
}

/** A stream with a flag for records that the owner wrote, and the fields that name the author. */
export interface AuthorPart {
  readonly scope: Scope;
  readonly flag: FieldRef;
  readonly authors: readonly FieldRef[];
}

export type Metric = 'count' | 'count_distinct' | 'sum' | 'avg' | 'min' | 'max';

/** How sums are added: in floating point, which is fast, or exactly. */
export type Summation = 'near' | 'exact';

/** The result of a metric over some records: a sum for sum and avg, else one value. */
export interface Total {
  value: Value | Sum;
  records: number;
}

/** How times are grouped: by periods between edges, or by units of a clock, consecutive or recurring. */
export type TimeParts =
  | { readonly kind: 'edges'; readonly edges: readonly number[] }
  | {
      readonly kind: 'hour' | 'day' | 'week' | 'weekday' | 'hour_of_day';
      readonly offsets: readonly ZoneOffset[];
    };

/** What records are grouped by: an own field, a field of the record that `key` refers to, or the connection. */
export type GroupColumn =
  | { readonly kind: 'own'; readonly field: FieldRef }
  | { readonly kind: 'related'; readonly field: FieldRef; readonly key: FieldRef; readonly target: Scope }
  | { readonly kind: 'connection'; readonly field: FieldRef };

/** One stream of an aggregation, with its fields and conditions. */
export interface MeasuredPart {
  readonly scope: Scope;
  readonly conditions: readonly Condition[];
  /** The measured field; undefined for a plain count. */
  readonly field: FieldRef | undefined;
  readonly groupBy: readonly GroupColumn[];
}

/** A stream of an aggregation by ranges: the field that ranges apply to, and the conditions of each range. */
export interface RangedPart extends MeasuredPart {
  readonly ranged: FieldRef;
  readonly ranges: readonly (readonly Condition[])[];
}

export interface GroupOrder {
  /** `size` orders by value, largest first; smallest first if no value is above zero. */
  readonly by: 'value' | 'size' | 'group';
  readonly direction: 'asc' | 'desc';
}

export interface Groups extends Total {
  groups: ({ by: Value[] } & Total)[];
  /** The number of all groups. `value` and `records` are those of all groups together. */
  groupCount: number;
  /** The order of the groups, as a request names it. */
  sort: 'value' | '-value' | 'group' | '-group';
  /** Whether the order is certain. It is not if the rounding of a near sum is open. */
  isOrdered: boolean;
}

export interface MetricRequest {
  readonly metric: Metric;
  readonly summation: Summation;
}

/** Aggregations over visible records of one or more streams. */
export interface MeasureReads {
  /** Returns one total over all parts. */
  total(parts: readonly MeasuredPart[], request: MetricRequest): Promise<Total>;
  /** Returns one total for each period of the time that each stream is ordered by, in the order of the periods. */
  totalsByPeriod(
    parts: readonly MeasuredPart[],
    request: MetricRequest,
    periods: readonly (readonly [from: number, to: number])[],
  ): Promise<Total[]>;
  /** Returns one total for each range, in their order. Ranges may overlap. */
  totalsByRange(parts: readonly RangedPart[], request: MetricRequest): Promise<Total[]>;
  /** Returns whether the first group column has more than one value, a missing one included, among records with a measured value. */
  isMixed(parts: readonly MeasuredPart[]): Promise<boolean>;
  /** Returns the minimum or maximum of the measured field, which must be a time. */
  extreme(parts: readonly MeasuredPart[], metric: 'min' | 'max'): Promise<number | undefined>;
  /** Returns the first `limit` groups in an order, and the total of all groups. `time` groups the first column by time. */
  groups(
    parts: readonly MeasuredPart[],
    request: MetricRequest & { readonly time?: TimeParts },
    order: GroupOrder,
    limit: number,
  ): Promise<Groups>;
  /** Returns totals of the periods between neighbouring edges, by index, without empty periods. The first group column is the time. */
  buckets(
    parts: readonly MeasuredPart[],
    request: MetricRequest,
    edges: readonly number[],
  ): Promise<Map<number, Total>>;
}

/**
 * Reads of records. Each takes the scope of a grant and reads nothing outside of it. Two stores that differ only in
 * hidden records and fields return the same.
 */
export interface RecordReads {
  /** Returns the number of the latest change in the store. */
  horizon(): Promise<number>;
  /** Returns up to `limit` records that meet all conditions, in order, after the end of the previous page. */
  page(scope: Scope, request: PageRequest): Promise<RecordPage>;
  /** Returns the record with this key, or up to two records whose key begins with it. */
  find(scope: Scope, key: string, match: 'exact' | 'prefix'): Promise<RecordRow[]>;
  /**
   * Returns records whose granted part differs between two change numbers, in order of key, and marks for those that are
   * no longer visible. Changes of hidden fields and of records outside the scope leave no trace.
   */
  changes(scope: Scope, request: ChangesRequest): Promise<VisibleChange[]>;
  /** Returns the newest records with a time of each scope, at most `perScope` of each. */
  newest(scopes: readonly Scope[], perScope: number): Promise<NewestRow[]>;
  /** Returns the records of rows that `newest` returned, in any order, without those that are gone by now. */
  recordsAt(
    scopes: readonly Scope[],
    rows: readonly NewestRow[],
  ): Promise<(BoundRecord & { readonly at: number; readonly key: string })[]>;

  /** Returns the first `limit` keys in a range, in order. */
  keys(scope: Scope, range: KeyRange, limit: number): Promise<string[]>;
  /** Returns those of the keys that visible records have. */
  knownKeys(scope: Scope, keys: readonly string[]): Promise<string[]>;
  /** Returns the first `limit` keys of records that meet all conditions, in order. */
  keysWhere(scope: Scope, conditions: readonly Condition[], limit: number): Promise<string[]>;
  /** Returns the keys and names of some records, in order of key, without those that have no name. A long name is cut. */
  names(scope: Scope, field: FieldRef, keys: readonly string[]): Promise<NamedKey[]>;
  /** Returns the first `limit` records whose name is one of some names, ignoring case, in order of key. */
  named(scope: Scope, field: FieldRef, names: readonly string[], limit: number): Promise<NamedKey[]>;

  /** Counts records that meet all conditions. A period applies only if there are no conditions. */
  count(scope: Scope, conditions: readonly Condition[], period?: Period): Promise<number>;
  /** Counts the records of several scopes together. */
  countTogether(scopes: readonly Scope[]): Promise<number>;
  /** Counts the records of each period, in the order of the periods. */
  countPeriods(scope: Scope, periods: readonly (readonly [from: number, to: number])[]): Promise<number[]>;
  /** Counts records by month (UTC, `2026-01`), oldest first, without empty months. */
  months(scope: Scope): Promise<{ month: string; n: number }[]>;
  /** Returns the first and the last time; undefined if no record has a time. */
  span(scope: Scope): Promise<{ first: number; last: number } | undefined>;

  /** Returns the most frequent values of a field that the streams share, and the number of distinct values. */
  values(scopes: readonly Scope[], field: FieldRef, limit: number): Promise<FieldValues>;
  /** Returns values that contain a text, ignoring case, the most frequent first. */
  valuesContaining(parts: readonly FieldPart[], text: string, limit: number): Promise<string[]>;
  /** Returns those of the names that records have in a field, in order. */
  valuesAmong(scope: Scope, field: FieldRef, names: readonly string[]): Promise<string[]>;
  /** Returns the authors of the newest records that are flagged as the owner's, in order. */
  flaggedAuthors(parts: readonly AuthorPart[]): Promise<string[]>;

  readonly measures: MeasureReads;
}
