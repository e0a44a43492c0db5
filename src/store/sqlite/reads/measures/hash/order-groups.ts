import type { GroupOrder, Groups } from '../../../../record-reads.ts';
import { compareValues, type Value } from '../../../../values.ts';
import type { GroupTable, HashedGroup } from './group-table.ts';

interface RankedGroup extends HashedGroup {
  readonly rank: Value | undefined;
}

/** Returns the first groups of a table in an order, and the total of all groups. */
export function orderGroups(
  table: GroupTable,
  order: GroupOrder,
  limit: number,
): Omit<Groups, 'sort'> & { readonly isNoneAboveZero: boolean } {
  const all = table.createEmpty();
  const groups: RankedGroup[] = [];
  let highest: Value = null;
  for (const { by, rows } of table) {
    const rank = rows.rank();
    groups.push({ by, rows, rank });
    if (rank !== undefined && compareValues(rank, highest) > 0) highest = rank;
    all.merge(rows);
  }
  const isNoneAboveZero = typeof highest === 'number' && highest <= 0;
  const first = takeFirst(groups, limit, createOrder(order, isNoneAboveZero));
  return {
    groups: first.map(({ by, rows }) => ({ by: [...by], value: rows.total(), records: rows.records })),
    groupCount: groups.length,
    isOrdered: order.by === 'group' || groups.every(({ rank }) => rank !== undefined),
    isNoneAboveZero,
    value: all.total(),
    records: all.records,
  };
}

type Compare = (a: RankedGroup, b: RankedGroup) => number;

/** Groups of the same rank are in order of their names. */
function createOrder({ by, direction }: GroupOrder, isNoneAboveZero: boolean): Compare {
  const sign = direction === 'desc' ? -1 : 1;
  const byRank: Compare = (a, b) => compareValues(a.rank ?? null, b.rank ?? null);
  switch (by) {
    case 'group':
      return (a, b) => sign * compareNames(a.by, b.by);
    case 'value':
      return (a, b) => sign * byRank(a, b) || compareNames(a.by, b.by);
    case 'size':
      return (a, b) =>
        compareSizes(a.rank ?? null, b.rank ?? null, isNoneAboveZero) || compareNames(a.by, b.by);
  }
}

/** Compares by value, the largest first, or the smallest if no value is above zero. Missing values are last. */
function compareSizes(a: Value, b: Value, isNoneAboveZero: boolean): number {
  return isNoneAboveZero && a !== null && b !== null ? compareValues(a, b) : compareValues(b, a);
}

function compareNames(a: readonly Value[], b: readonly Value[]): number {
  for (let at = 0; at < a.length; at++) {
    const order = compareValues(a[at] as Value, b[at] as Value);
    if (order !== 0) return order;
  }
  return 0;
}

/** Returns the first items in order, without sorting all of them. */
function takeFirst<T>(items: readonly T[], limit: number, compare: (a: T, b: T) => number): T[] {
  const first: T[] = [];
  for (const item of items) {
    if (first.length === limit && compare(item, first[limit - 1] as T) >= 0) continue;
    let [low, high] = [0, first.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(first[middle] as T, item) <= 0) low = middle + 1;
      else high = middle;
    }
    first.splice(low, 0, item);
    if (first.length > limit) first.pop();
  }
  return first;
}
