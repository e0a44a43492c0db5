import { type Kysely, type RawBuilder, sql } from 'kysely';
import type {
  Adding,
  GroupColumn,
  GroupOrder,
  Groups,
  MeasuredPart,
  Metric,
  MetricRequest,
  RangedPart,
  TimeParts,
  Total,
} from '../../../record-reads.ts';
import type { FieldRef, Scope } from '../../../scope.ts';
import { NO_TIME, type Value } from '../../../values.ts';
import type { Tables } from '../../tables.ts';
import { columnOf, exactly, joinData, whereConditions, whereVisible } from '../scope-sql.ts';
import {
  allColumns,
  type GroupRow,
  groupColumns,
  metricColumns,
  rankColumn,
  readAllGroups,
  readTotalRow,
  type TotalRow,
} from './metric-sql.ts';
import { timeGroup } from './time-column.ts';

/** Returns one number over all visible records that meet the conditions. */
export async function readTotal(
  db: Kysely<Tables>,
  parts: readonly MeasuredPart[],
  { metric, adding }: MetricRequest,
): Promise<Total> {
  const { rows } = await selectTotal(parts, metric, adding).execute(db);
  return readTotalRow(metric, rows[0] as TotalRow);
}

function selectTotal(
  parts: readonly MeasuredPart[],
  metric: Metric,
  adding: Adding,
  inPeriod?: RawBuilder<boolean>,
): RawBuilder<TotalRow> {
  return sql<TotalRow>`
    select ${metricColumns(metric, parts[0]?.field, adding)}, count(*) as records
    from (${selectParts(parts, inPeriod)})`;
}

/** Placeholders of a period in a statement that is built once and run for each period. */
const FROM = Symbol('from');
const TO = Symbol('to');

/** Returns the same number for each of many periods of the time that streams are ordered by. */
export async function readPeriods(
  db: Kysely<Tables>,
  parts: readonly MeasuredPart[],
  { metric, adding }: MetricRequest,
  periods: readonly (readonly [from: number, to: number])[],
): Promise<Total[]> {
  const statement = selectTotal(parts, metric, adding, sql`f.t >= ${FROM} and f.t < ${TO}`).compile(db);
  const totals: Total[] = [];
  for (const [from, to] of periods) {
    const parameters = statement.parameters.map((value) =>
      value === FROM ? from : value === TO ? to : value,
    );
    const { rows } = await db.executeQuery<TotalRow>({ ...statement, parameters });
    totals.push(readTotalRow(metric, rows[0] as TotalRow));
  }
  return totals;
}

/** Returns whether a group column has more than one value among measured records. A missing value counts as one. */
export async function isMixed(db: Kysely<Tables>, parts: readonly MeasuredPart[]): Promise<boolean> {
  const { rows } = await sql<{ differ: number | null; named: number; records: number }>`
    select min(g0) <> max(g0) as differ, count(g0) as named, count(*) as records
    from (${selectParts(parts)}) where v is not null`.execute(db);
  const { differ, named, records } = rows[0] as (typeof rows)[number];
  return differ === 1 || (named > 0 && named < records);
}

/** Returns the minimum or maximum of a field. For the time of a stream it comes from an end of the index. */
export async function readExtreme(
  db: Kysely<Tables>,
  parts: readonly MeasuredPart[],
  metric: 'min' | 'max',
): Promise<number | undefined> {
  const found: number[] = [];
  for (const { scope, conditions, field } of parts) {
    if (field === undefined) continue;
    const column = columnOf(scope, field);
    const { rows } = await sql<{ value: number | null }>`
      select ${sql.raw(metric)}(${column}) as value from facets f ${joinData(conditions)}
      where ${whereVisible(scope, 'f')} and ${whereConditions(scope, conditions)} and ${column} > ${NO_TIME}`.execute(
      db,
    );
    if (typeof rows[0]?.value === 'number') found.push(rows[0].value);
  }
  return found.length === 0 ? undefined : Math[metric](...found);
}

/** Returns the first groups in an order, and the total of all groups. */
export async function readGroups(
  db: Kysely<Tables>,
  parts: readonly MeasuredPart[],
  { metric, adding, time }: MetricRequest & { readonly time?: TimeParts },
  order: GroupOrder,
  limit: number,
): Promise<Groups> {
  const { groupBy, field } = parts[0] as MeasuredPart;
  const names = groupBy.map((_, index) => sql.ref(`g${index}`));
  // Named with their table: otherwise large numbers would be compared as the texts that they are shown as.
  const stored = names.map((_, index) => sql.ref(`g.g${index}`));
  const direction = sql.raw(order.direction);
  const groupOrder = sql.join(
    stored.map((name) => sql`${name} ${order.by === 'group' ? direction : sql`asc`}`),
  );
  // Groups without a value are last in both directions.
  const orders = {
    group: groupOrder,
    value: sql`g.rank ${direction}, ${groupOrder}`,
    size: sql`case when a.most <= 0 then -g.rank else g.rank end desc, ${groupOrder}`,
  };
  const { rows } = await sql<Record<`g${number}`, Value> & GroupRow>`
    with g as materialized (
      select ${sql.join(names)}, ${metricColumns(metric, field, adding)}, ${rankColumn(metric, adding)} as rank, count(*) as records
      from (${selectGrouped(parts, time)}) group by ${sql.join(names)}
    ), a as materialized (select ${allColumns(metric, adding)} from g)
    select ${sql.join(groupBy.map((one, index) => sql`${exactly(one.field, sql.ref(`g${index}`))} as ${sql.ref(`g${index}`)}`))},
      a.most <= 0 as is_below, ${groupColumns(metric, adding)}, a.*
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
    sort: nameOrder(order, first?.is_below === 1),
    isOrdered: order.by === 'group' || (first?.open ?? 0) === 0,
    ...(all ?? (await readTotal(db, parts, { metric, adding }))),
  };
}

function nameOrder({ by, direction }: GroupOrder, isBelow: boolean): Groups['sort'] {
  if (by === 'size') return isBelow ? 'value' : '-value';
  return direction === 'desc' ? `-${by}` : by;
}

/** Returns one number per period of a time that the stream is not ordered by, in one pass. */
export async function readBuckets(
  db: Kysely<Tables>,
  parts: readonly MeasuredPart[],
  { metric, adding }: MetricRequest,
  edges: readonly number[],
): Promise<Map<number, Total>> {
  // Bucket i runs from edge i to edge i + 1; g0 is the time.
  const cases = edges.slice(1).map((edge, index) => sql`when g0 < ${edge} then ${index}`);
  const { rows } = await sql<TotalRow & { bucket: number }>`
    select bucket, ${metricColumns(metric, parts[0]?.field, adding)}, count(*) as records from (
      select v, case ${sql.join(cases, sql` `)} end as bucket from (${selectParts(parts)}) where g0 >= ${edges[0]}
    ) where bucket is not null group by bucket`.execute(db);
  return new Map(rows.map((row) => [row.bucket, readTotalRow(metric, row)]));
}

/** Returns one total for each of some ranges. Records that meet the other conditions are read once for all ranges. */
export async function readRanges(
  db: Kysely<Tables>,
  parts: readonly RangedPart[],
  { metric, adding }: MetricRequest,
): Promise<Total[]> {
  const [first] = parts as [RangedPart];
  const kept = parts.map(
    (part, at) => sql`${sql.ref(`kept${at}`)} as materialized (
      select ${part.field === undefined ? sql`1` : measuredColumn(part.scope, part.field)} as v, ${columnOf(part.scope, part.ranged)}
      from facets f ${joinData(part.conditions)}
      where ${whereConditions(part.scope, part.conditions)} and ${whereVisible(part.scope, 'f')})`,
  );
  const totals = first.ranges.map((_, range) => {
    // The kept column has its own name, so that conditions find it.
    const rows = parts.map(
      ({ scope, ranges }, at) =>
        sql`select v from ${sql.ref(`kept${at}`)} as f where ${whereConditions(scope, ranges[range] ?? [])}`,
    );
    return sql`select ${sql.lit(range)} as range, ${metricColumns(metric, first.field, adding)}, count(*) as records
      from (${sql.join(rows, sql` union all `)})`;
  });
  const { rows } = await sql<TotalRow & { range: number }>`
    with ${sql.join(kept)} ${sql.join(totals, sql` union all `)}`.execute(db);
  return rows.toSorted((a, b) => a.range - b.range).map((row) => readTotalRow(metric, row));
}

/** Selects the rows of all parts, with the time in g0 as its group. */
function selectGrouped(parts: readonly MeasuredPart[], time: TimeParts | undefined): RawBuilder<unknown> {
  if (time === undefined) return selectParts(parts);
  const others = (parts[0]?.groupBy ?? []).slice(1).map((_, index) => sql`, ${sql.ref(`g${index + 1}`)}`);
  return sql`select v, ${timeGroup(sql.ref('g0'), time)} as g0 ${sql.join(others, sql` `)} from (${selectParts(parts)})`;
}

/** Selects visible rows of every part as columns v, g0, g1: all that an aggregation reads. */
function selectParts(
  parts: readonly MeasuredPart[],
  inPeriod: RawBuilder<boolean> = sql`true`,
): RawBuilder<unknown> {
  return sql.join(
    parts.map(({ scope, conditions, field, groupBy }) => {
      const groups = groupBy.map((one, index) => sql`, ${groupValue(scope, one)} as ${sql.ref(`g${index}`)}`);
      // SQLite uses the first of two bounds of a time, so the period comes before the window.
      return sql`select ${field === undefined ? sql`1` : measuredColumn(scope, field)} as v ${sql.join(groups, sql` `)}
        from facets f ${joinData(conditions)}
        where ${inPeriod} and ${whereConditions(scope, conditions)} and ${whereVisible(scope, 'f')}`;
    }),
    sql` union all `,
  );
}

/** Selects the measured value. A record without a time has none. */
function measuredColumn(scope: Scope, field: FieldRef): RawBuilder<unknown> {
  const column = columnOf(scope, field);
  return scope.stream.timeField?.name === field.name ? sql`nullif(${column}, ${NO_TIME})` : column;
}

/** Selects the value of a group column for a row of facets f. */
function groupValue(scope: Scope, column: GroupColumn): RawBuilder<unknown> {
  switch (column.kind) {
    case 'own':
      return columnOf(scope, column.field);
    case 'related':
      return relatedValue(scope, column);
    case 'connection':
      return sql`${scope.stream.connection.connection_id}`;
  }
}

/**
 * Selects a field of the visible record that a row refers to, by key for each row: a join would scan the target for
 * every row. The innermost f is not the outer one.
 */
function relatedValue(
  scope: Scope,
  { target, field, key }: GroupColumn & { kind: 'related' },
): RawBuilder<unknown> {
  return sql`(select (select ${columnOf(target, field)} from facets f
      where ${whereVisible(target, 'f')} and f.t = k.t and f.key = k.key)
    from records k indexed by records_key
    where k.stream_id = ${target.stream.streamId} and k.key = ${columnOf(scope, key)})`;
}
