import type { GroupOrder, Groups, MeasuredPart, Metric, TimeParts, Total } from '../../../record-reads.ts';
import { nameOrder, readTotalRow, type TotalRow } from '../../../records/totals.ts';
import { roundExact } from '../../../round-sum.ts';
import { compareValues, type Value } from '../../../values.ts';
import type { OwnerQueries } from '../../owner-queries.ts';
import { fromSlot, showSlot } from '../../slot-values.ts';
import { type Sql, sql } from '../../sql.ts';
import { selectGrouped } from './measured-rows.ts';

/** The exact sum of the records of a group, in units of 2^-1074. */
interface ExactGroup {
  readonly row: ExactRow;
  units: bigint;
  counted: number;
  records: number;
}

/** The records of a group (g0n, g0t, ...) whose values have the same binary exponent, or are large integers. */
interface ExactRow extends Record<string, unknown> {
  readonly exponent: number | null;
  /** The sum of signed mantissas. */
  readonly mantissas: string | null;
  readonly integers: string | null;
  readonly counted: number;
  readonly records: number;
}

/**
 * Adds floats exactly. The database can add only integers exactly, so it adds the mantissas of floats with the same
 * exponent. Even a large group has few exponents. Only sums whose rounding is uncertain need exact addition.
 */
export async function addExactly(
  db: OwnerQueries,
  rows: Sql,
  groupNames: readonly string[],
): Promise<ExactGroup[]> {
  const names = groupNames.flatMap((name) => [`${name}n`, `${name}t`]);
  const columns = sql.raw(names.map((name) => `${name}, `).join(''));
  const found = await db.query<ExactRow>(sql`
    select ${columns} exponent, sum(case when exponent is not null then
        (case when bits < 0 then -1 else 1 end) * ((bits & ${FRACTION_BITS}) | (case when exponent = 0 then 0 else ${IMPLIED_BIT} end))
      end)::text as mantissas, sum(integer)::text as integers,
      count(*) filter (where vn is not null or vt is not null) as counted, count(*) as records
    from (select *, (bits >> 52)::int4 & 2047 as exponent from (
      select *, ('x' || encode(float8send(${FLOAT}), 'hex'))::bit(64)::int8 as bits, ${INTEGER} as integer
      from (${rows}) as a) as b) as c
    group by ${columns} exponent`);
  const groups = new Map<string, ExactGroup>();
  for (const row of found) {
    const id = JSON.stringify(names.map((name) => row[name]));
    const group = groups.get(id) ?? { row, units: 0n, counted: 0, records: 0 };
    groups.set(id, group);
    group.units += readExactUnits(row);
    group.counted += row.counted;
    group.records += row.records;
  }
  return [...groups.values()];
}

const FRACTION_BITS = sql.raw('4503599627370495');
const IMPLIED_BIT = sql.raw('4503599627370496');
/** A large integer has an ordering text, see slot-values.ts. Beyond 64 bits it has only a float, or only its digits. */
const hasOrder = "vn is not null and vt ~ '^[0-9]+$'";
const INTEGER = sql.raw(`(case when ${hasOrder} then vt::numeric - 9223372036854775808 end)`);
const FLOAT = sql.raw(`(case when ${hasOrder} then null when vn is not null then vn
  when vt is null or vt !~ '^-?[0-9]+$' then null when abs(vt::numeric) < 1.797693134862315807e308 then vt::float8
  when vt like '-%' then '-Infinity'::float8 else 'Infinity'::float8 end)`);

/** One unit is 2^-1074. */
const UNIT_EXPONENT = 1074n;

function readExactUnits({ exponent, mantissas, integers }: ExactRow): bigint {
  const floats = BigInt(mantissas ?? 0) << BigInt(Math.max(0, (exponent ?? 0) - 1));
  return floats + (BigInt(integers ?? 0) << UNIT_EXPONENT);
}

/** Returns the total of some groups together. */
export function totalExactly(metric: Metric, groups: readonly ExactGroup[]): Total {
  const units = groups.reduce((sum, group) => sum + group.units, 0n);
  const add = (name: 'counted' | 'records') => groups.reduce((sum, group) => sum + group[name], 0);
  return readTotalRow(metric, toRow(metric, units, add('counted'), add('records')));
}

function toRow(metric: Metric, units: bigint, counted: number, records: number): TotalRow {
  return { units: units.toString(16), counted: metric === 'avg' ? counted : 1, records };
}

/** Returns the first groups in an order, with exact sums, and the total of all groups. */
export async function readExactGroups(
  db: OwnerQueries,
  parts: readonly MeasuredPart[],
  { metric, time }: { readonly metric: Metric; readonly time?: TimeParts | undefined },
  order: GroupOrder,
  limit: number,
): Promise<Groups> {
  const { groupBy } = parts[0] as MeasuredPart;
  const names = groupBy.map((_, index) => `g${index}`);
  const groups = await addExactly(db, selectGrouped(db, parts, time), names);
  const ranked = groups.map((group) => {
    const units = group.units;
    const slots = names.map((name) => ({
      n: (group.row[`${name}n`] ?? null) as number | null,
      t: (group.row[`${name}t`] ?? null) as string | null,
    }));
    return {
      slots,
      by: slots.map((slot, index) => fromSlot(groupBy[index]?.field.kind, slot)),
      rank: roundExact(units, metric === 'avg' ? group.counted : 1),
      row: toRow(metric, units, group.counted, group.records),
    };
  });
  const isNoneAboveZero =
    ranked.some(({ rank }) => rank !== null) && ranked.every(({ rank }) => (rank ?? 0) <= 0);
  const compare = createOrder(order, isNoneAboveZero);
  return {
    groups: ranked
      .sort(compare)
      .slice(0, limit)
      .map(({ slots, row }) => ({
        by: slots.map((slot, index) => showSlot(groupBy[index]?.field.kind, slot)),
        ...readTotalRow(metric, row),
      })),
    groupCount: ranked.length,
    sort: nameOrder(order, isNoneAboveZero),
    isOrdered: true,
    ...totalExactly(metric, groups),
  };
}

interface Ranked {
  readonly by: readonly Value[];
  readonly rank: number | null;
}

/** Orders groups as the database does: by value or by group, with missing values lowest. */
function createOrder(
  { by, direction }: GroupOrder,
  isNoneAboveZero: boolean,
): (a: Ranked, b: Ranked) => number {
  const sign = direction === 'asc' ? 1 : -1;
  const byGroup = (a: Ranked, b: Ranked, sign: number) =>
    a.by.reduce<number>((order, value, at) => order || sign * compareValues(value, b.by[at] ?? null), 0);
  if (by === 'group') return (a, b) => byGroup(a, b, sign);
  if (by === 'value') return (a, b) => sign * compareValues(a.rank, b.rank) || byGroup(a, b, 1);
  const size = ({ rank }: Ranked) => (rank !== null && isNoneAboveZero ? -rank : rank);
  return (a, b) => -compareValues(size(a), size(b)) || byGroup(a, b, 1);
}
