import type {
  GroupOrder,
  Groups,
  MeasuredPart,
  Metric,
  MetricRequest,
  RangedPart,
  TimeParts,
  Total,
} from '../../../record-reads.ts';
import { isAdded, nameOrder, readTotalRow } from '../../../records/totals.ts';
import { NO_TIME } from '../../../values.ts';
import type { OwnerQueries } from '../../owner-queries.ts';
import { showSlot } from '../../slot-values.ts';
import { type Sql, sql } from '../../sql.ts';
import { orderOf } from '../columns.ts';
import { columnOf, whereConditions, whereVisible } from '../scope-sql.ts';
import { addExactly, readExactGroups, totalExactly } from './exact-groups.ts';
import { kindOf, measuredValue, selectGrouped, selectRows, valuesOf } from './measured-rows.ts';
import { type MetricRow, metricColumns, rankColumns, toSum, toTotalRow } from './metric-sql.ts';

/** Whether a request needs sums that are added here. */
const isExact = ({ metric, summation }: MetricRequest) => summation === 'exact' && isAdded(metric);

/** Returns one number over all visible records that meet the conditions. */
export function readTotal(
  db: OwnerQueries,
  parts: readonly MeasuredPart[],
  request: MetricRequest,
): Promise<Total> {
  return totalOf(db, parts, request, selectRows(db, parts));
}

async function totalOf(
  db: OwnerQueries,
  parts: readonly MeasuredPart[],
  request: MetricRequest,
  rows: Sql,
): Promise<Total> {
  const { metric } = request;
  if (isExact(request)) return totalExactly(metric, await addExactly(db, rows, []));
  const [row] = await db.query<MetricRow>(
    sql`select ${metricColumns(metric, valuesOf(parts))}, count(*) as records from (${rows}) as a`,
  );
  return readTotalRow(metric, toTotalRow(metric, kindOf(parts), row as MetricRow));
}

/** Returns the same number for each of many periods of the time that streams are ordered by, in one statement. */
export async function readPeriods(
  db: OwnerQueries,
  parts: readonly MeasuredPart[],
  request: MetricRequest,
  periods: readonly (readonly [from: number, to: number])[],
): Promise<Total[]> {
  // Indexes serve whole times only.
  const type = sql.raw(periods.flat().every(Number.isSafeInteger) ? 'int8' : 'float8');
  const [lows, highs] = [periods.map(([from]) => from), periods.map(([, to]) => to)];
  const plain = parts.map((part) => ({ ...part, groupBy: [] }));
  const rows = sql`select (p.number - 1)::float8 as g0n, null::text as g0t, a.vn, a.vt
    from unnest(${lows}::${type}[], ${highs}::${type}[]) with ordinality as p (low, high, number),
      lateral (${selectRows(db, plain, sql`r.t >= p.low and r.t < p.high`)}) as a`;
  return completeTotals(db, parts, request, rows, periods.length);
}

/** Returns whether a group column has more than one value among measured records. A missing value counts as one. */
export async function isMixed(db: OwnerQueries, parts: readonly MeasuredPart[]): Promise<boolean> {
  const [row] = await db.query<{ differ: boolean; named: number; records: number }>(sql`
    select min(g0n) is distinct from max(g0n) or min(g0t) is distinct from max(g0t)
        or (count(g0n) > 0 and count(*) filter (where g0n is null and g0t is not null) > 0) as differ,
      count(*) filter (where g0n is not null or g0t is not null) as named, count(*) as records
    from (${selectRows(db, parts)}) as a where vn is not null or vt is not null`);
  const { differ, named, records } = row as { differ: boolean; named: number; records: number };
  return differ || (named > 0 && named < records);
}

/** Returns the minimum or maximum of a field. For the time of a stream it comes from an end of the index. */
export async function readExtreme(
  db: OwnerQueries,
  parts: readonly MeasuredPart[],
  metric: 'min' | 'max',
): Promise<number | undefined> {
  const found: number[] = [];
  for (const { scope, conditions, field } of parts) {
    if (field === undefined) continue;
    const { n } = columnOf(scope, field);
    const [row] = await db.query<{ value: number | null }>(sql`
      select ${sql.raw(metric)}(${n}) as value from records r
      where ${whereVisible(db, scope, 'r')} and ${whereConditions(db, scope, conditions)} and ${n} > ${NO_TIME}::int8`);
    if (typeof row?.value === 'number') found.push(row.value);
  }
  return found.length === 0 ? undefined : Math[metric](...found);
}

interface GroupRow extends MetricRow, Record<string, unknown> {
  readonly open: number;
  readonly is_below: boolean | null;
  readonly groups: number;
  readonly all_hi?: string;
  readonly all_lo?: string;
  readonly all_size?: number;
  readonly all_counted?: number;
  readonly all_records: number;
}

/** Returns the first groups in an order, and the total of all groups. */
export async function readGroups(
  db: OwnerQueries,
  parts: readonly MeasuredPart[],
  request: MetricRequest & { readonly time?: TimeParts },
  order: GroupOrder,
  limit: number,
): Promise<Groups> {
  if (isExact(request)) return readExactGroups(db, parts, request, order, limit);
  const { metric, time } = request;
  const { groupBy } = parts[0] as MeasuredPart;
  const names = groupBy.map((_, index) => `g${index}`);
  const columns = sql.raw(names.flatMap((name) => [`${name}n`, `${name}t`]).join(', '));
  const rows = await db.query<GroupRow>(sql`
    with m as materialized (
      select ${columns}, ${metricColumns(metric, valuesOf(parts))}, count(*) as records
      from (${selectGrouped(db, parts, time)}) as p group by ${columns}
    ), g as materialized (select m.*, ${rankColumns(metric)} from m),
    a as materialized (select ${allColumns(metric)} from g)
    select g.*, a.* from a cross join g order by ${groupOrder(names, order)} limit ${limit}`);
  const [first] = rows;
  const kind = kindOf(parts);
  return {
    groups: rows.map((row) => ({
      by: names.map((name, index) => showSlot(groupBy[index]?.field.kind, slotOf(row, name))),
      ...readTotalRow(metric, toTotalRow(metric, kind, row)),
    })),
    groupCount: first?.groups ?? 0,
    sort: nameOrder(order, first?.is_below === true),
    isOrdered: order.by === 'group' || (first?.open ?? 0) === 0,
    // A total that does not follow from the groups needs a second read of all records.
    ...((first && readAllGroups(metric, first)) ?? (await readTotal(db, parts, request))),
  };
}

const slotOf = (row: Record<string, unknown>, name: string) => ({
  n: (row[`${name}n`] ?? null) as number | null,
  t: (row[`${name}t`] ?? null) as string | null,
});

/** Orders groups. Missing values are lowest. */
function groupOrder(names: readonly string[], { by, direction }: GroupOrder): Sql {
  const column = (name: string) => ({
    kind: 'integer' as const,
    n: sql.raw(`g.${name}n`),
    t: sql.raw(`g.${name}t`),
  });
  const groups = sql.join(names.map((name) => orderOf(column(name), by === 'group' ? direction : 'asc')));
  if (by === 'group') return groups;
  if (by === 'value') return sql`${orderOf(column('r'), direction)}, ${groups}`;
  return sql`case when a.is_below then -g.rn end desc nulls last, ${orderOf(column('r'), 'desc')}, ${groups}`;
}

/** Selects the totals of all groups that follow from the groups. */
function allColumns(metric: Metric): Sql {
  const all = sql`count(*) as groups, sum(records)::int8 as all_records,
    max(rn) <= 0 and count(*) filter (where rn is null and rt is not null) = 0 as is_below`;
  if (!isAdded(metric)) return sql`${all}, 0 as open`;
  // The average of no values has no rank, but is not open.
  return sql`${all}, count(*) filter (where rn is null and ${metric === 'avg' ? sql`counted > 0` : sql`true`}) as open,
    sum(hi) as all_hi, sum(lo) as all_lo, sum(size) as all_size, sum(counted)::int8 as all_counted`;
}

/** Returns the total of all groups; undefined if it does not follow from the groups. */
function readAllGroups(metric: Metric, row: GroupRow): Total | undefined {
  const records = row.all_records;
  if (metric === 'count') return { value: records, records };
  if (!isAdded(metric)) return undefined;
  const sum = toSum({ hi: row.all_hi ?? null, lo: row.all_lo ?? null, size: row.all_size ?? null });
  // Of sums, every group counts as one.
  const counted = metric === 'avg' ? (row.all_counted ?? 0) : row.groups;
  return readTotalRow(metric, { ...sum, counted, records });
}

/** Returns one number per period of a time that the stream is not ordered by, in one pass. */
export async function readBuckets(
  db: OwnerQueries,
  parts: readonly MeasuredPart[],
  request: MetricRequest,
  edges: readonly number[],
): Promise<Map<number, Total>> {
  // Bucket i runs from edge i to edge i + 1; g0 is the time.
  return totalsByGroup(
    db,
    parts,
    request,
    sql`select vn, vt, bucket as g0n, null::text as g0t from (
      select vn, vt, width_bucket(g0n, ${edges}::float8[]) - 1 as bucket from (${selectRows(db, parts)}) as p
      where g0n is not null) as b where bucket between 0 and ${edges.length - 2}::int4`,
  );
}

/** Returns one total for each of some ranges. */
export async function readRanges(
  db: OwnerQueries,
  parts: readonly RangedPart[],
  request: MetricRequest,
): Promise<Total[]> {
  const [first] = parts as [RangedPart];
  // Records that meet the other conditions are read once. The ranged column has its own name, so that conditions find it.
  const sources = parts.map(({ scope, conditions, field, ranged }, at) => {
    const { n, t, kind } = columnOf(scope, ranged);
    const columns = { time: [n], number: [n], text: [t], integer: [n, t] }[kind];
    return sql`${sql.raw(`source${at}`)} as materialized (
      select ${measuredValue(scope, field)}, ${sql.join(columns)} from records r
      where ${whereVisible(db, scope, 'r')} and ${whereConditions(db, scope, conditions)})`;
  });
  const rowsOf = (range: number) =>
    sql.join(
      parts.map(
        (
          { scope, ranges },
          at,
        ) => sql`select ${sql.raw(String(range))}::float8 as g0n, null::text as g0t, vn, vt
          from ${sql.raw(`source${at}`)} as r where ${whereConditions(db, scope, ranges[range] ?? [])}`,
      ),
      sql` union all `,
    );
  const rows = sql.join(
    first.ranges.map((_, range) => rowsOf(range)),
    sql` union all `,
  );
  const all = sql`with ${sql.join(sources)} ${rows}`;
  return completeTotals(db, parts, request, all, first.ranges.length);
}

/** Returns the totals of all numbers in g0 below `count`, also of those without a record. */
async function completeTotals(
  db: OwnerQueries,
  parts: readonly MeasuredPart[],
  request: MetricRequest,
  rows: Sql,
  count: number,
): Promise<Total[]> {
  const totals = await totalsByGroup(db, parts, request, rows);
  const numbers = Array.from({ length: count }, (_, number) => number);
  if (numbers.every((number) => totals.has(number)))
    return numbers.map((number) => totals.get(number) as Total);
  const noRows = sql`select null::float8 as vn, null::text as vt where false`;
  const none = await totalOf(db, parts, request, noRows);
  return numbers.map((number) => totals.get(number) ?? none);
}

/** Returns the total of each number in g0. */
async function totalsByGroup(
  db: OwnerQueries,
  parts: readonly MeasuredPart[],
  request: MetricRequest,
  rows: Sql,
): Promise<Map<number, Total>> {
  const { metric } = request;
  if (isExact(request)) {
    const groups = await addExactly(db, rows, ['g0']);
    return new Map(groups.map((group) => [Number(group.row.g0n), totalExactly(metric, [group])]));
  }
  const found = await db.query<MetricRow & { g0n: number }>(sql`
    select g0n, ${metricColumns(metric, valuesOf(parts))}, count(*) as records from (${rows}) as a group by g0n`);
  return new Map(found.map((row) => [row.g0n, readTotalRow(metric, toTotalRow(metric, kindOf(parts), row))]));
}
