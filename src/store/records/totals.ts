import type { GroupOrder, Groups, Metric, Total } from '../record-reads.ts';
import { readSum, type SumRow } from '../sum.ts';
import type { Value } from '../values.ts';

/** A total as a row of a database. */
export interface TotalRow extends SumRow {
  value?: Value;
  records: number;
}

export function readTotalRow(metric: Metric, row: TotalRow): Total {
  return { value: isAdded(metric) ? readSum(row) : (row.value ?? null), records: row.records };
}

/** Whether the result of a metric is a sum. */
export function isAdded(metric: Metric): boolean {
  return metric === 'sum' || metric === 'avg';
}

/** Returns the order of groups as a request names it. `isNoneAboveZero`: no group's value is above zero. */
export function nameOrder({ by, direction }: GroupOrder, isNoneAboveZero: boolean): Groups['sort'] {
  if (by === 'size') return isNoneAboveZero ? 'value' : '-value';
  return direction === 'desc' ? `-${by}` : by;
}
