import { type RawBuilder, sql } from 'kysely';
import type { Metric, Summation, Total } from '../../../record-reads.ts';
import { isAdded, type TotalRow } from '../../../records/totals.ts';
import type { FieldRef } from '../../../scope.ts';
import { readSum } from '../../../sum.ts';
import { exactly } from '../scope-sql.ts';

/** The size of a sum that is exact as a float. */
const EXACT = sql`case when total(abs(v)) <= ${sql.lit(Number.MAX_SAFE_INTEGER)} and total(v <> cast(v as integer)) = 0
  then 0 else total(abs(v)) end`;

/** Selects a metric over rows with a column v. Sums of whole numbers below 2^53 are exact and have no size. */
export function totalColumns(
  metric: Metric,
  field: FieldRef | undefined,
  summation: Summation,
): RawBuilder<unknown> {
  if (!isAdded(metric) || summation === 'exact' || field?.kind !== 'integer')
    return metricColumns(metric, field, summation);
  return sql`total(v) as near, ${EXACT} as size, ${metric === 'avg' ? sql`count(v)` : sql`1`} as counted`;
}

/** Selects a metric over rows with a column v. */
export function metricColumns(
  metric: Metric,
  field: FieldRef | undefined,
  summation: Summation,
): RawBuilder<unknown> {
  switch (metric) {
    case 'count':
      return sql`count(*) as value`;
    case 'count_distinct':
      return sql`count(distinct v) as value`;
    case 'sum':
    case 'avg': {
      const sum =
        summation === 'exact' ? sql`exact_sum(v) as units` : sql`total(v) as near, total(abs(v)) as size`;
      // Only a mean needs the count.
      return metric === 'avg' ? sql`${sum}, count(v) as counted` : sql`${sum}, 1 as counted`;
    }
    case 'min':
      return sql`${exactly(field, sql`min(v)`)} as value`;
    case 'max':
      return sql`${exactly(field, sql`max(v)`)} as value`;
  }
}

/** Selects the value that groups are ordered by: the shown value, or null for a sum whose rounding is open. */
export function rankColumn(metric: Metric, summation: Summation): RawBuilder<unknown> {
  const divisor = metric === 'avg' ? sql`count(v)` : sql`1`;
  switch (metric) {
    case 'count':
      return sql`count(*)`;
    case 'count_distinct':
      return sql`count(distinct v)`;
    case 'sum':
    case 'avg':
      return summation === 'exact'
        ? sql`round_exact(exact_sum(v), ${divisor})`
        : sql`round_near(total(v), total(abs(v)), ${divisor})`;
    case 'min':
      return sql`min(v)`;
    case 'max':
      return sql`max(v)`;
  }
}

/** Selects the columns of a group. */
export function groupColumns(metric: Metric, summation: Summation): RawBuilder<unknown> {
  if (!isAdded(metric)) return sql`value, records`;
  return summation === 'exact' ? sql`units, counted, records` : sql`near, size, counted, records`;
}

/** Selects the totals over all groups that can be computed from the groups. */
export function allColumns(metric: Metric, summation: Summation): RawBuilder<unknown> {
  const all = sql`count(*) as groups, max(rank) as highest`;
  if (!isAdded(metric)) return sql`${all}, 0 as open, sum(records) as all_records`;
  // The average of no values has no rank, but is not open.
  const open = sql`coalesce(sum(rank is null and counted > 0), 0) as open`;
  return summation === 'exact'
    ? sql`${all}, ${open}`
    : sql`${all}, ${open}, total(near) as all_near, total(size) as all_size,
        sum(counted) as all_counted, sum(records) as all_records`;
}

export interface GroupRow extends TotalRow {
  open: number;
  /** Whether no group's value is above zero. */
  is_none_above_zero: number | null;
  groups: number;
  all_near?: number;
  all_size?: number;
  all_counted?: number;
  all_records?: number;
}

/** Returns the total over all groups, or undefined if it cannot be computed from the groups. */
export function readAllGroups(metric: Metric, row: GroupRow): Total | undefined {
  const { all_near, all_size, all_counted, all_records } = row;
  if (all_records === undefined) return undefined;
  if (metric === 'count') return { value: all_records, records: all_records };
  if (all_near === undefined || all_size === undefined || all_counted === undefined) return undefined;
  return { value: readSum({ near: all_near, size: all_size, counted: all_counted }), records: all_records };
}
