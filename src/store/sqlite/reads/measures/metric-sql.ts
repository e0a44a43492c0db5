import { type RawBuilder, sql } from 'kysely';
import type { Adding, Metric, Total } from '../../../record-reads.ts';
import type { FieldRef } from '../../../scope.ts';
import { readSum, type SumRow } from '../../../sum.ts';
import type { Value } from '../../../values.ts';
import { exactly } from '../scope-sql.ts';

export interface TotalRow extends SumRow {
  value?: Value;
  records: number;
}

/** Selects a metric over rows with a column v. */
export function metricColumns(
  metric: Metric,
  field: FieldRef | undefined,
  adding: Adding,
): RawBuilder<unknown> {
  switch (metric) {
    case 'count':
      return sql`count(*) as value`;
    case 'count_distinct':
      return sql`count(distinct v) as value`;
    case 'sum':
    case 'avg': {
      const sum =
        adding === 'exact' ? sql`exact_sum(v) as units` : sql`total(v) as near, total(abs(v)) as size`;
      // Only a mean needs the count.
      return metric === 'avg' ? sql`${sum}, count(v) as counted` : sql`${sum}, 1 as counted`;
    }
    case 'min':
      return sql`${exactly(field, sql`min(v)`)} as value`;
    case 'max':
      return sql`${exactly(field, sql`max(v)`)} as value`;
  }
}

export function readTotalRow(metric: Metric, row: TotalRow): Total {
  return { value: isAdded(metric) ? readSum(row) : (row.value ?? null), records: row.records };
}

function isAdded(metric: Metric): boolean {
  return metric === 'sum' || metric === 'avg';
}

/** Selects the value that groups are ordered by: the shown value, or null for a sum whose rounding is open. */
export function rankColumn(metric: Metric, adding: Adding): RawBuilder<unknown> {
  const divisor = metric === 'avg' ? sql`count(v)` : sql`1`;
  switch (metric) {
    case 'count':
      return sql`count(*)`;
    case 'count_distinct':
      return sql`count(distinct v)`;
    case 'sum':
    case 'avg':
      return adding === 'exact'
        ? sql`round_exact(exact_sum(v), ${divisor})`
        : sql`round_near(total(v), total(abs(v)), ${divisor})`;
    case 'min':
      return sql`min(v)`;
    case 'max':
      return sql`max(v)`;
  }
}

/** Selects the columns of a group. */
export function groupColumns(metric: Metric, adding: Adding): RawBuilder<unknown> {
  if (!isAdded(metric)) return sql`value, records`;
  return adding === 'exact' ? sql`units, counted, records` : sql`near, size, counted, records`;
}

/** Selects the totals of all groups that follow from the groups. */
export function allColumns(metric: Metric, adding: Adding): RawBuilder<unknown> {
  const all = sql`count(*) as groups, max(rank) as most`;
  if (!isAdded(metric)) return sql`${all}, 0 as open, sum(records) as all_records`;
  // The average of no values has no rank, but is not open.
  const open = sql`coalesce(sum(rank is null and counted > 0), 0) as open`;
  return adding === 'exact'
    ? sql`${all}, ${open}`
    : sql`${all}, ${open}, total(near) as all_near, total(size) as all_size,
        sum(counted) as all_counted, sum(records) as all_records`;
}

export interface GroupRow extends TotalRow {
  open: number;
  /** Whether no group's value is above zero. */
  is_below: number | null;
  groups: number;
  all_near?: number;
  all_size?: number;
  all_counted?: number;
  all_records?: number;
}

/** Returns the total of all groups; undefined if it does not follow from the groups. */
export function readAllGroups(metric: Metric, row: GroupRow): Total | undefined {
  const { all_near, all_size, all_counted, all_records } = row;
  if (all_records === undefined) return undefined;
  if (metric === 'count') return { value: all_records, records: all_records };
  if (all_near === undefined || all_size === undefined || all_counted === undefined) return undefined;
  return { value: readSum({ near: all_near, size: all_size, counted: all_counted }), records: all_records };
}
