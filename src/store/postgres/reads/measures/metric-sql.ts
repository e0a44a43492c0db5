import type { Metric } from '../../../record-reads.ts';
import { isAdded, type TotalRow } from '../../../records/totals.ts';
import type { FieldKind } from '../../../scope.ts';
import { showSlot } from '../../slot-values.ts';
import { type Sql, sql } from '../../sql.ts';
import type { Column } from '../columns.ts';

type Values = Column['kind'];

/**
 * Sums are added as fixed-point integers, which is exact and independent of the order: whole parts in `hi`, fractions in
 * units of 2^-62 in `lo`. Smaller fractions are lost. Numbers above 2^62 make the size infinite,
 * so that the caller asks for an exact sum.
 */
const FRACTION = 2 ** 62;
const FRACTION_SQL = sql.raw('4611686018427387904::float8');
/** 2^-12: the size that is added for the lost fraction of each value, so that the size bounds the error; see roundNear. */
const LOST_SQL = sql.raw('0.000244140625::float8');

/** A result of a metric. Columns that the metric does not need are absent. */
export interface MetricRow {
  readonly n?: number | null;
  readonly t?: string | null;
  readonly hi?: string | null;
  readonly lo?: string | null;
  readonly size?: number | null;
  readonly counted?: number;
  readonly records: number;
}

/** Selects a metric over rows with columns vn and vt. */
export function metricColumns(metric: Metric, values: Values): Sql {
  switch (metric) {
    case 'count':
      return sql`count(*)::float8 as n`;
    case 'count_distinct':
      return sql`${countDistinct(values)}::float8 as n`;
    case 'sum':
    case 'avg':
      return sumColumns(values);
    case 'min':
    case 'max':
      return extremeColumns(metric, values);
  }
}

/** Selects how often records with a measured value occur. */
const countPresent = (values: Values) =>
  values === 'integer'
    ? sql`count(*) filter (where vn is not null or vt is not null)`
    : sql`count(${values === 'text' ? sql`vt` : sql`vn`})`;

function countDistinct(values: Values): Sql {
  if (values === 'integer')
    return sql`count(distinct (vn, vt)) filter (where vn is not null or vt is not null)`;
  return values === 'text' ? sql`count(distinct vt)` : sql`count(distinct vn)`;
}

/** Selects a measured value as a number. Whole numbers beyond 64 bits are stored as their digits. */
export function numberOf(values: Values): Sql {
  if (values !== 'integer' && values !== 'text') return sql`vn`;
  return sql`(case when vn is null and vt ~ '^-?[0-9]+$' then vt::float8 else vn end)`;
}

function sumColumns(values: Values): Sql {
  const v = numberOf(values);
  const small = sql`abs(${v}) < ${FRACTION_SQL}`;
  return sql`sum(case when ${small} then floor(${v})::int8 end) as hi,
    sum(case when ${small} then ((${v} - floor(${v})) * ${FRACTION_SQL})::int8 end) as lo,
    sum(case when ${small} then abs(${v}) * 2 + ${LOST_SQL} else 'Infinity'::float8 end) filter (where ${v} is not null) as size,
    ${countPresent(values)} as counted`;
}

/** Selects the first or last value. Of large integers, which share their nearest number, the text decides. */
function extremeColumns(metric: 'min' | 'max', values: Values): Sql {
  const by = sql.raw(metric);
  if (values === 'text') return sql`null::float8 as n, ${by}(vt) as t`;
  if (values !== 'integer') return sql`${by}(vn) as n, null::text as t`;
  const n =
    metric === 'min' ? sql`min(vn)` : sql`case when count(vt) filter (where vn is null) = 0 then max(vn) end`;
  const limit = sql.raw(String(2 ** 53));
  return sql`${n} as n, case
    when ${by}(vn) is null ${metric === 'max' ? sql`or count(vt) filter (where vn is null) > 0` : sql``} then ${by}(vt) filter (where vn is null)
    when ${by}(vn) >= ${limit} then ${by}(vt) filter (where vn >= ${limit})
    when ${by}(vn) <= -${limit} then ${by}(vt) filter (where vn <= -${limit}) end as t`;
}

/** Reads the result of a metric. */
export function toTotalRow(metric: Metric, kind: FieldKind | undefined, row: MetricRow): TotalRow {
  const { records, n = null, t = null } = row;
  if (!isAdded(metric)) {
    const isValue = metric === 'min' || metric === 'max';
    return { value: isValue ? showSlot(kind, { n, t }) : n, records };
  }
  // Only a mean needs the count.
  return { ...toSum(row), counted: metric === 'avg' ? (row.counted ?? 0) : 1, records };
}

export function toSum({ hi, lo, size }: Pick<MetricRow, 'hi' | 'lo' | 'size'>): {
  near: number;
  size: number;
} {
  return { near: Number(hi ?? 0) + Number(lo ?? 0) / FRACTION, size: size ?? 0 };
}

/** Selects the value that groups are ordered by, as rn and rt: the shown value, or none for a sum whose rounding is open. */
export function rankColumns(metric: Metric): Sql {
  if (!isAdded(metric))
    return metric === 'min' || metric === 'max' ? sql`n as rn, t as rt` : sql`n as rn, null::text as rt`;
  const near = sql`(coalesce(hi, 0)::float8 + coalesce(lo, 0)::float8 / ${FRACTION_SQL})`;
  const spread = sql`coalesce(size, 0) * ${sql.raw(`${2 ** -50}::float8`)}`;
  const divisor = metric === 'avg' ? sql`nullif(counted, 0)` : sql`1`;
  const [low, high] = [
    roundSum(sql`((${near} - ${spread}) / ${divisor})`),
    roundSum(sql`((${near} + ${spread}) / ${divisor})`),
  ];
  return sql`case when ${low} = ${high} then ${low} end as rn, null::text as rt`;
}

/** Rounds as roundSum of round-sum.ts does. A conversion to numeric keeps 15 digits. */
function roundSum(value: Sql): Sql {
  return sql`(case when abs(${value}) < 1e9 then floor(${value} * 1e6 + 0.5) / 1e6
    when abs(${value}) < 1e15 then ${value}::numeric::float8 else ${value} end)`;
}
