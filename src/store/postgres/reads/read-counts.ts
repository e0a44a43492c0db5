import { DAY_MS } from '../../../time/durations.ts';
import type { Condition } from '../../conditions.ts';
import type { Period } from '../../record-reads.ts';
import { coversWholeDays, isUnrestricted, isWindowed } from '../../records/visible-part.ts';
import type { Scope } from '../../scope.ts';
import { NO_TIME } from '../../values.ts';
import type { OwnerQueries } from '../owner-queries.ts';
import { type Sql, sql } from '../sql.ts';
import { whereConditions, whereVisible } from './scope-sql.ts';

/** Times that no record is before or after. Records without a time are before the first. */
const [FIRST, LAST] = [NO_TIME + 1, Number.MAX_SAFE_INTEGER];

/** Counts visible records, in a period or with conditions. */
export async function countRecords(
  db: OwnerQueries,
  scope: Scope,
  conditions: readonly Condition[] = [],
  { from, to }: Period = {},
): Promise<number> {
  if (conditions.length > 0) return countEach(db, scope, conditions);
  const isBounded = from !== undefined || to !== undefined;
  if (isBounded || isWindowed(scope))
    return (await countPeriods(db, scope, [[from ?? FIRST, to ?? LAST]]))[0] ?? 0;
  return coversWholeDays(scope) ? countWhole(db, [scope]) : countEach(db, scope, []);
}

/** Counts the records of several streams. Those that are visible as a whole are counted by one statement. */
export async function countTogether(db: OwnerQueries, scopes: readonly Scope[]): Promise<number> {
  const whole = scopes.filter(isUnrestricted);
  let total = whole.length === 0 ? 0 : await countWhole(db, whole);
  for (const scope of scopes) if (!isUnrestricted(scope)) total += await countRecords(db, scope);
  return total;
}

async function readCount(db: OwnerQueries, statement: Sql): Promise<number> {
  const [row] = await db.query<{ n: number }>(statement);
  return row?.n ?? 0;
}

function countWhole(db: OwnerQueries, scopes: readonly Scope[]): Promise<number> {
  const ids = scopes.map(({ stream }) => stream.streamId);
  return readCount(
    db,
    sql`select coalesce(sum(n), 0)::int8 as n from days
      where owner_id = ${db.ownerId} and stream_id = any(${ids}::int4[])`,
  );
}

/** Counts visible records of each period, by day where a whole day is visible and by record at the edges. */
export async function countPeriods(
  db: OwnerQueries,
  scope: Scope,
  periods: readonly (readonly [from: number, to: number])[],
): Promise<number[]> {
  const byDay = coversWholeDays(scope);
  const bounds = periods.map((period) => {
    const from = toBound(Math.max(scope.since ?? period[0], period[0]));
    const to = Math.max(from, toBound(Math.min(scope.until ?? period[1], period[1])));
    const [first, last] = [Math.ceil(from / DAY_MS), Math.floor(to / DAY_MS)];
    // Without a whole day in the period, all records are counted one by one.
    return first >= last || !byDay
      ? [0, 0, from, to, to, to]
      : [first, last, from, first * DAY_MS, last * DAY_MS, to];
  });
  const lists = [0, 1, 2, 3, 4, 5].map((at) => sql`${bounds.map((bound) => bound[at] ?? 0)}::int8[]`);
  const between = (from: Sql, to: Sql) =>
    sql`(select count(*) from records r where ${whereVisible(db, scope, 'r')} and r.t >= ${from} and r.t < ${to})`;
  const rows = await db.query<{ n: number }>(sql`
    select ((select coalesce(sum(d.n), 0) from days d where d.owner_id = ${db.ownerId}
        and d.stream_id = ${scope.stream.streamId} and d.day >= b.first and d.day < b.last)
      + ${between(sql`b.from1`, sql`b.to1`)} + ${between(sql`b.from2`, sql`b.to2`)})::int8 as n
    from unnest(${sql.join(lists)}) with ordinality as b (first, last, from1, to1, from2, to2, at) order by b.at`);
  return rows.map((row) => row.n);
}

/** Returns the first whole millisecond of a bound, which may lie outside of all times. */
function toBound(time: number): number {
  return Math.min(LAST, Math.max(FIRST, Math.ceil(time)));
}

function countEach(db: OwnerQueries, scope: Scope, conditions: readonly Condition[]): Promise<number> {
  return readCount(
    db,
    sql`select count(*) as n from records r
      where ${whereVisible(db, scope, 'r')} and ${whereConditions(db, scope, conditions)}`,
  );
}

/** Counts visible records by month (UTC, `2026-01`), oldest first, without empty months. */
export async function readMonths(db: OwnerQueries, scope: Scope): Promise<{ month: string; n: number }[]> {
  const rows = await db.query<{ year: number; month: number; n: number }>(sql`
    select extract(year from d.date)::int4 as year, extract(month from d.date)::int4 as month, sum(d.n)::int8 as n
    from (select date '1970-01-01' + x.day::int4 as date, x.n from (${selectDays(db, scope)}) x) d
    group by 1, 2 having sum(d.n) > 0 order by 1, 2`);
  // PostgreSQL has no year 0: the year before 1 is -1.
  return rows.flatMap(({ year, month, n }) => {
    const shown = year < 0 ? year + 1 : year;
    if (shown < 0 || shown > 9_999) return [];
    return [{ month: `${String(shown).padStart(4, '0')}-${String(month).padStart(2, '0')}`, n }];
  });
}

/** Selects counts by day, from the day table where a whole day is visible and by record elsewhere. */
function selectDays(db: OwnerQueries, scope: Scope): Sql {
  const day = sql.raw(String(DAY_MS));
  const each = (from: number, to: number) => sql`
    select floor(r.t / ${day}.0)::int8 as day, count(*) as n from records r
    where ${whereVisible(db, scope, 'r')} and r.t >= ${from} and r.t < ${to} group by 1`;
  if (!coversWholeDays(scope)) return each(FIRST, LAST);
  const { since = FIRST, until = LAST } = scope;
  const [first, last] = [Math.ceil(since / DAY_MS), Math.floor(until / DAY_MS)];
  if (first >= last) return each(toBound(since), toBound(until));
  return sql`
    select day, n from days where owner_id = ${db.ownerId} and stream_id = ${scope.stream.streamId}
      and day >= ${first} and day < ${last} and day > ${NO_TIME}
    union all (${each(toBound(since), first * DAY_MS)}) union all (${each(last * DAY_MS, toBound(until))})`;
}

/** Returns the first and the last visible time, from both ends of the index. */
export async function readSpan(
  db: OwnerQueries,
  scope: Scope,
): Promise<{ first: number; last: number } | undefined> {
  const visible = sql`${whereVisible(db, scope, 'r')} and r.t > ${NO_TIME}`;
  const [span] = await db.query<{ first: number | null; last: number | null }>(sql`
    select (select min(r.t) from records r where ${visible}) as first,
      (select max(r.t) from records r where ${visible}) as last`);
  if (span === undefined || span.first === null || span.last === null) return undefined;
  return { first: span.first, last: span.last };
}
