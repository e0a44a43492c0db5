import { type Kysely, sql } from 'kysely';
import type { GroupOrder, Groups, MeasuredPart, MetricRequest, TimeParts } from '../../../record-reads.ts';
import { nameOrder, readTotalRow } from '../../../records/totals.ts';
import type { Value } from '../../../values.ts';
import type { Tables } from '../../tables.ts';
import { exactly } from '../scope-sql.ts';
import { hashGroups } from './hash/hash-groups.ts';
import { orderGroups } from './hash/order-groups.ts';
import {
  allColumns,
  type GroupRow,
  groupColumns,
  metricColumns,
  rankColumn,
  readAllGroups,
} from './metric-sql.ts';
import { readTotal } from './read-aggregate.ts';
import { selectGrouped } from './select-parts.ts';

type GroupsRequest = MetricRequest & { readonly time?: TimeParts };

/** Returns the first groups in an order, and the total of all groups. */
export async function readGroups(
  db: Kysely<Tables>,
  parts: readonly MeasuredPart[],
  request: GroupsRequest,
  order: GroupOrder,
  limit: number,
): Promise<Groups> {
  const table = request.summation === 'near' ? await hashGroups(db, parts, request) : undefined;
  if (table === undefined) return sortGroups(db, parts, request, order, limit);
  const { isNoneAboveZero, ...groups } = orderGroups(table, order, limit);
  return { ...groups, sort: nameOrder(order, isNoneAboveZero) };
}

/** Computes the groups in SQL. Memory does not grow with the number of rows, and sums can be exact. */
export async function sortGroups(
  db: Kysely<Tables>,
  parts: readonly MeasuredPart[],
  { metric, summation, time }: GroupsRequest,
  order: GroupOrder,
  limit: number,
): Promise<Groups> {
  const { groupBy, field } = parts[0] as MeasuredPart;
  const names = groupBy.map((_, index) => sql.ref(`g${index}`));
  // Qualified with the table, because the output columns of the same name hold large numbers as text.
  const stored = names.map((_, index) => sql.ref(`g.g${index}`));
  const direction = sql.raw(order.direction);
  const groupOrder = sql.join(
    stored.map((name) => sql`${name} ${order.by === 'group' ? direction : sql`asc`}`),
  );
  // In an order by size, groups without a value are last, whatever the sign of the values.
  const orders = {
    group: groupOrder,
    value: sql`g.rank ${direction}, ${groupOrder}`,
    size: sql`case when a.highest <= 0 then -g.rank else g.rank end desc, ${groupOrder}`,
  };
  const { rows } = await sql<Record<`g${number}`, Value> & GroupRow>`
    with g as materialized (
      select ${sql.join(names)}, ${metricColumns(metric, field, summation)}, ${rankColumn(metric, summation)} as rank, count(*) as records
      from (${selectGrouped(parts, time)}) group by ${sql.join(names)}
    ), a as materialized (select ${allColumns(metric, summation)} from g)
    select ${sql.join(groupBy.map((one, index) => sql`${exactly(one.field, sql.ref(`g${index}`))} as ${sql.ref(`g${index}`)}`))},
      a.highest <= 0 as is_none_above_zero, ${groupColumns(metric, summation)}, a.*
    from a cross join g order by ${orders[order.by]} limit ${limit}`.execute(db);
  const [first] = rows;
  // Totals that do not follow from the groups need a second read of all records.
  const all = first && readAllGroups(metric, first);
  return {
    groups: rows.map((row) => ({
      by: names.map((_, index) => row[`g${index}`] ?? null),
      ...readTotalRow(metric, row),
    })),
    groupCount: first?.groups ?? 0,
    sort: nameOrder(order, first?.is_none_above_zero === 1),
    isOrdered: order.by === 'group' || (first?.open ?? 0) === 0,
    ...(all ?? (await readTotal(db, parts, { metric, summation }))),
  };
}
