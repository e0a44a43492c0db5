import { type Kysely, type RawBuilder, sql } from 'kysely';
import { DAY_MS } from '../../../time/durations.ts';
import {
  ALL_TIMES,
  type Counts,
  type PeriodParts,
  type Range,
  splitPeriod,
} from '../../records/count-records.ts';
import type { Scope } from '../../scope.ts';
import { NO_TIME } from '../../values.ts';
import type { Tables } from '../tables.ts';
import { joinData, whereConditions, whereVisible } from './scope-sql.ts';

/** Returns the counts of a database. */
export function createCounts(db: Kysely<Tables>): Counts {
  const count = async (statement: RawBuilder<{ n: number }>) => (await statement.execute(db)).rows[0]?.n ?? 0;
  return {
    whole: (scopes) =>
      count(sql`select coalesce(sum(n), 0) as n from days
        where stream_id in (select value from json_each(${JSON.stringify(scopes.map(({ stream }) => stream.streamId))}))`),
    each: (scope, conditions) =>
      count(sql`select count(*) as n from facets f ${joinData(conditions)}
        where ${whereVisible(scope, 'f')} and ${whereConditions(scope, conditions)}`),
    async periods(scope, periods) {
      const parts = JSON.stringify(periods.map((period) => splitPeriod(scope, period)));
      const bound = (name: keyof PeriodParts, at: 0 | 1) =>
        sql`json_extract(s.value, ${sql.lit(`$.${name}[${at}]`)})`;
      const between = (name: 'before' | 'after') => sql`(select count(*) from facets f
        where f.t >= ${bound(name, 0)} and f.t < ${bound(name, 1)} and ${whereVisible(scope, 'f')})`;
      const { rows } = await sql<{ n: number }>`
        select (select coalesce(sum(n), 0) from days where stream_id = ${scope.stream.streamId}
            and day >= ${bound('days', 0)} and day < ${bound('days', 1)})
          + ${between('before')} + ${between('after')} as n
        from json_each(${parts}) s order by s.key`.execute(db);
      return rows.map((row) => row.n);
    },
  };
}

/** Counts visible records by month (UTC, `2026-01`), oldest first, without empty months. */
export async function readMonths(db: Kysely<Tables>, scope: Scope): Promise<{ month: string; n: number }[]> {
  const { rows } = await sql<{ month: string | null; n: number }>`
    select strftime('%Y-%m', day * 86400, 'unixepoch') as month, sum(n) as n
    from (${selectDays(scope)}) group by month having sum(n) > 0 order by month`.execute(db);
  // The database has no month for times beyond the year 9999.
  return rows.flatMap(({ month, n }) => (month === null ? [] : [{ month, n }]));
}

/** Selects counts by day, from the day table where a whole day is visible and by record elsewhere. */
function selectDays(scope: Scope): RawBuilder<unknown> {
  const { days, before, after } = splitPeriod(scope, ALL_TIMES);
  const day = sql.lit(DAY_MS);
  const each = ([from, to]: Range) => sql`
    select (f.t - ((f.t % ${day}) + ${day}) % ${day}) / ${day} as day, count(*) as n from facets f
    where ${whereVisible(scope, 'f')} and f.t >= ${from} and f.t < ${to} group by 1`;
  return sql`
    select day, n from days where stream_id = ${scope.stream.streamId}
      and day >= ${days[0]} and day < ${days[1]} and day > ${NO_TIME}
    union all select * from (${each(before)})
    union all select * from (${each(after)})`;
}

/** Returns the first and the last visible time, from both ends of the index. */
export async function readSpan(
  db: Kysely<Tables>,
  scope: Scope,
): Promise<{ first: number; last: number } | undefined> {
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select (select min(f.t) from facets f where ${whereVisible(scope, 'f')} and f.t > ${NO_TIME}) as first,
      (select max(f.t) from facets f where ${whereVisible(scope, 'f')} and f.t > ${NO_TIME}) as last`.execute(
    db,
  );
  const span = rows[0];
  if (span === undefined || span.first === null || span.last === null) return undefined;
  return { first: span.first, last: span.last };
}
