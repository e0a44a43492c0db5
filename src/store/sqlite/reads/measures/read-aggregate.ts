import { type Kysely, type RawBuilder, sql } from 'kysely';
import type {
  MeasuredPart,
  Metric,
  MetricRequest,
  RangedPart,
  Summation,
  Total,
} from '../../../record-reads.ts';
import { readTotalRow, type TotalRow } from '../../../records/totals.ts';
import { NO_TIME } from '../../../values.ts';
import type { Tables } from '../../tables.ts';
import { columnOf, joinData, whereConditions, whereVisible } from '../scope-sql.ts';
import { hashRows } from './hash/hash-groups.ts';
import { metricColumns, totalColumns } from './metric-sql.ts';
import { measuredColumn, selectParts } from './select-parts.ts';
import { timeGroup } from './time-column.ts';

/** Returns one number over all visible records that meet the conditions. */
export async function readTotal(
  db: Kysely<Tables>,
  parts: readonly MeasuredPart[],
  { metric, summation }: MetricRequest,
): Promise<Total> {
  const { rows } = await selectTotal(parts, metric, summation).execute(db);
  return readTotalRow(metric, rows[0] as TotalRow);
}

function selectTotal(
  parts: readonly MeasuredPart[],
  metric: Metric,
  summation: Summation,
  inPeriod?: RawBuilder<boolean>,
): RawBuilder<TotalRow> {
  return sql<TotalRow>`
    select ${totalColumns(metric, parts[0]?.field, summation)}, count(*) as records
    from (${selectParts(parts, inPeriod)})`;
}

/** Placeholders of a period in a statement that is built once and run for each period. */
const FROM = Symbol('from');
const TO = Symbol('to');

/** Returns one number per period of the time that the streams are ordered by, with one statement per period. */
export async function readPeriods(
  db: Kysely<Tables>,
  parts: readonly MeasuredPart[],
  { metric, summation }: MetricRequest,
  periods: readonly (readonly [from: number, to: number])[],
): Promise<Total[]> {
  const statement = selectTotal(parts, metric, summation, sql`f.t >= ${FROM} and f.t < ${TO}`).compile(db);
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

/** Returns one number per period of a time that the stream is not ordered by, in one pass. */
export async function readBuckets(
  db: Kysely<Tables>,
  parts: readonly MeasuredPart[],
  { metric, summation }: MetricRequest,
  edges: readonly number[],
): Promise<Map<number, Total>> {
  // Bucket i runs from edge i to edge i + 1; g0 is the time.
  const rows = sql`select v, ${timeGroup(sql.ref('g0'), { kind: 'edges', edges })} as g0
    from (${selectParts(parts)}) where g0 >= ${edges[0]} and g0 < ${edges.at(-1)}`;
  const table = summation === 'near' ? await hashRows(db, { metric }, rows) : undefined;
  if (table !== undefined)
    return new Map(
      Array.from(table, ({ by, rows }) => [by[0] as number, { value: rows.total(), records: rows.records }]),
    );
  const found = await sql<TotalRow & { bucket: number }>`
    select g0 as bucket, ${metricColumns(metric, parts[0]?.field, summation)}, count(*) as records
    from (${rows}) group by g0`.execute(db);
  return new Map(found.rows.map((row) => [row.bucket, readTotalRow(metric, row)]));
}

/** Returns one total per range. Records that meet the other conditions are read once for all ranges. */
export async function readRanges(
  db: Kysely<Tables>,
  parts: readonly RangedPart[],
  request: MetricRequest,
): Promise<Total[]> {
  const table =
    request.summation === 'near' ? await hashRows(db, request, selectRangeSets(parts)) : undefined;
  if (table === undefined) return scanRanges(db, parts, request);
  return (parts[0] as RangedPart).ranges.map((_, range) => {
    const total = table.createEmpty();
    for (const { by, rows } of table) if (Number(by[0]) & (1 << range)) total.merge(rows);
    return { value: total.total(), records: total.records };
  });
}

/** Selects rows with the set of ranges that they are in, as the bits of g0. */
function selectRangeSets(parts: readonly RangedPart[]): RawBuilder<unknown> {
  const rows = parts.map(({ scope, conditions, field, ranges }) => {
    const bits = ranges.map(
      (range, at) => sql`((${whereConditions(scope, range)}) is true) * ${sql.lit(1 << at)}`,
    );
    return sql`select ${field === undefined ? sql`1` : measuredColumn(scope, field)} as v, ${sql.join(bits, sql` + `)} as g0
      from facets f ${joinData(conditions)}
      where ${whereConditions(scope, conditions)} and ${whereVisible(scope, 'f')}`;
  });
  return sql.join(rows, sql` union all `);
}

/** Computes the totals in SQL, for exact sums or if a hash table needs too much memory. */
async function scanRanges(
  db: Kysely<Tables>,
  parts: readonly RangedPart[],
  { metric, summation }: MetricRequest,
): Promise<Total[]> {
  const [first] = parts as [RangedPart];
  const scans = parts.map(
    (part, at) => sql`${sql.ref(`scan${at}`)} as materialized (
      select ${part.field === undefined ? sql`1` : measuredColumn(part.scope, part.field)} as v, ${columnOf(part.scope, part.ranged)}
      from facets f ${joinData(part.conditions)}
      where ${whereConditions(part.scope, part.conditions)} and ${whereVisible(part.scope, 'f')})`,
  );
  const totals = first.ranges.map((_, range) => {
    // The ranged column keeps its name, so that conditions can refer to it.
    const rows = parts.map(
      ({ scope, ranges }, at) =>
        sql`select v from ${sql.ref(`scan${at}`)} as f where ${whereConditions(scope, ranges[range] ?? [])}`,
    );
    return sql`select ${sql.lit(range)} as range, ${metricColumns(metric, first.field, summation)}, count(*) as records
      from (${sql.join(rows, sql` union all `)})`;
  });
  const { rows } = await sql<TotalRow & { range: number }>`
    with ${sql.join(scans)} ${sql.join(totals, sql` union all `)}`.execute(db);
  return rows.toSorted((a, b) => a.range - b.range).map((row) => readTotalRow(metric, row));
}
