import { DAY_MS } from '../../../time/durations.ts';
import { ALL_TIMES, type Counts, type Range, splitPeriod } from '../../records/count-records.ts';
import type { Scope } from '../../scope.ts';
import { NO_TIME } from '../../values.ts';
import type { OwnerQueries } from '../owner-queries.ts';
import { type Sql, sql } from '../sql.ts';
import { whereConditions, whereVisible } from './scope-sql.ts';

/** Returns the counts of an owner's database. */
export function createCounts(db: OwnerQueries): Counts {
  const count = async (statement: Sql) => (await db.query<{ n: number }>(statement))[0]?.n ?? 0;
  return {
    whole: (scopes) =>
      count(sql`select coalesce(sum(n), 0)::int8 as n from days
        where owner_id = ${db.ownerId} and stream_id = any(${scopes.map(({ stream }) => stream.streamId)}::int4[])`),
    each: (scope, conditions) =>
      count(sql`select count(*) as n from records r
        where ${whereVisible(db, scope, 'r')} and ${whereConditions(db, scope, conditions)}`),
    async periods(scope, periods) {
      const parts = periods.map((period) => splitPeriod(scope, period));
      const lists = (['days', 'before', 'after'] as const).flatMap((name) =>
        [0, 1].map((at) => sql`${parts.map((part) => part[name][at] as number)}::int8[]`),
      );
      const between = (from: Sql, to: Sql) => sql`(select count(*) from records r
        where ${whereVisible(db, scope, 'r')} and r.t >= ${from} and r.t < ${to})`;
      const rows = await db.query<{ n: number }>(sql`
        select ((select coalesce(sum(d.n), 0) from days d where d.owner_id = ${db.ownerId}
            and d.stream_id = ${scope.stream.streamId} and d.day >= p.first and d.day < p.last)
          + ${between(sql`p.from1`, sql`p.to1`)} + ${between(sql`p.from2`, sql`p.to2`)})::int8 as n
        from unnest(${sql.join(lists)}) with ordinality as p (first, last, from1, to1, from2, to2, at) order by p.at`);
      return rows.map((row) => row.n);
    },
  };
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
  const { days, before, after } = splitPeriod(scope, ALL_TIMES);
  const each = ([from, to]: Range) => sql`
    select floor(r.t / ${sql.raw(String(DAY_MS))}.0)::int8 as day, count(*) as n from records r
    where ${whereVisible(db, scope, 'r')} and r.t >= ${from} and r.t < ${to} group by 1`;
  return sql`
    select day, n from days where owner_id = ${db.ownerId} and stream_id = ${scope.stream.streamId}
      and day >= ${days[0]} and day < ${days[1]} and day > ${NO_TIME}
    union all (${each(before)}) union all (${each(after)})`;
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
