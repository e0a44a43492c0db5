import { type Kysely, type RawBuilder, sql } from 'kysely';
import { DAY_MS } from '../../../time/durations.ts';
import type { Condition } from '../../conditions.ts';
import type { Period } from '../../record-reads.ts';
import { coversWholeDays, isUnrestricted, type Scope } from '../../scope.ts';
import { NO_TIME } from '../../values.ts';
import type { Tables } from '../tables.ts';
import { needsData, whereConditions } from './conditions-sql.ts';
import { joinData, whereVisible } from './visible-sql.ts';

/** Counts visible records, in whole days from the day table and only the edges record by record. */
export async function countPlain(db: Kysely<Tables>, scope: Scope, period: Period = {}): Promise<number> {
  const from = highest(scope.since, period.from);
  const to = lowest(scope.until, period.to);
  if (!coversWholeDays(scope)) return countEach(db, scope, from, to);
  const id = scope.stream.streamId;
  if (from === undefined && to === undefined) return countWhole(db, [scope]);
  const firstDay = from === undefined ? undefined : Math.ceil(from / DAY_MS);
  const lastDay = to === undefined ? undefined : Math.floor(to / DAY_MS);
  if (firstDay !== undefined && lastDay !== undefined && firstDay >= lastDay)
    return countEach(db, scope, from, to);
  const low = firstDay ?? NO_TIME + 1;
  const high = lastDay ?? Number.MAX_SAFE_INTEGER;
  const { rows } = await sql<{ n: number }>`
    select (select coalesce(sum(n), 0) from days where stream_id = ${id} and day >= ${low} and day < ${high})
      + (select count(*) from facets where stream_id = ${id} and t >= ${from ?? 0} and t < ${firstDay === undefined ? (from ?? 0) : firstDay * DAY_MS})
      + (select count(*) from facets where stream_id = ${id} and t >= ${lastDay === undefined ? 0 : lastDay * DAY_MS} and t < ${lastDay === undefined ? 0 : (to ?? 0)})
      as n`.execute(db);
  return rows[0]?.n ?? 0;
}

/** How many records streams have together. Those that are seen whole are counted by one statement. */
export async function countTogether(db: Kysely<Tables>, scopes: readonly Scope[]): Promise<number> {
  const whole = scopes.filter(isUnrestricted);
  let total = whole.length === 0 ? 0 : await countWhole(db, whole);
  for (const scope of scopes) if (!isUnrestricted(scope)) total += await countPlain(db, scope);
  return total;
}

async function countWhole(db: Kysely<Tables>, scopes: readonly Scope[]): Promise<number> {
  const ids = JSON.stringify(scopes.map(({ stream }) => stream.streamId));
  const { rows } = await sql<{ n: number }>`
    select coalesce(sum(n), 0) as n from days where stream_id in (select value from json_each(${ids}))`.execute(
    db,
  );
  return rows[0]?.n ?? 0;
}

/** Returns what countPlain does, for each of many periods and in one statement. */
export async function countPeriods(
  db: Kysely<Tables>,
  scope: Scope,
  periods: readonly (readonly [from: number, to: number])[],
): Promise<number[]> {
  if (!coversWholeDays(scope)) {
    const counts: number[] = [];
    for (const [from, to] of periods) counts.push(await countPlain(db, scope, { from, to }));
    return counts;
  }
  const id = scope.stream.streamId;
  const bounds = periods.map((period) => {
    const from = Math.max(scope.since ?? period[0], period[0]);
    const to = Math.max(from, Math.min(scope.until ?? period[1], period[1]));
    const [first, last] = [Math.ceil(from / DAY_MS), Math.floor(to / DAY_MS)];
    // Within one day, or from one into the next, there is no whole day to take.
    return first >= last ? [0, 0, from, to, to, to] : [first, last, from, first * DAY_MS, last * DAY_MS, to];
  });
  const bound = (at: number) => sql`json_extract(s.value, ${sql.lit(`$[${at}]`)})`;
  const { rows } = await sql<{ n: number }>`
    select (select coalesce(sum(n), 0) from days where stream_id = ${id} and day >= ${bound(0)} and day < ${bound(1)})
      + (select count(*) from facets where stream_id = ${id} and t >= ${bound(2)} and t < ${bound(3)})
      + (select count(*) from facets where stream_id = ${id} and t >= ${bound(4)} and t < ${bound(5)})
      as n from json_each(${JSON.stringify(bounds)}) s order by s.key`.execute(db);
  return rows.map((row) => row.n);
}

/** How many visible records meet the conditions. */
export async function countRecords(
  db: Kysely<Tables>,
  scope: Scope,
  conditions: readonly Condition[],
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from facets f ${joinData(needsData(conditions))}
    where ${whereVisible(scope, 'f')} and ${whereConditions(scope, conditions)}`.execute(db);
  return rows[0]?.n ?? 0;
}

async function countEach(
  db: Kysely<Tables>,
  scope: Scope,
  from: number | undefined,
  to: number | undefined,
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from facets f where ${whereVisible(scope, 'f')}
      and ${from === undefined ? sql`true` : sql`f.t >= ${from}`}
      and ${to === undefined ? sql`true` : sql`f.t < ${to} and f.t > ${NO_TIME}`}`.execute(db);
  return rows[0]?.n ?? 0;
}

/** Visible records per month (UTC, `2026-01`), oldest first; months without any are left out. */
export async function readMonths(db: Kysely<Tables>, scope: Scope): Promise<{ month: string; n: number }[]> {
  const { rows } = await sql<{ month: string | null; n: number }>`
    select strftime('%Y-%m', day * 86400, 'unixepoch') as month, sum(n) as n
    from (${selectDays(scope)}) group by month having sum(n) > 0 order by month`.execute(db);
  // A time beyond the years that the database can name has no month.
  return rows.flatMap(({ month, n }) => (month === null ? [] : [{ month, n }]));
}

/** From the day table, and where the grant cuts a day in two, that day record by record. */
function selectDays(scope: Scope): RawBuilder<unknown> {
  const day = sql.lit(DAY_MS);
  const each = (from: number, to: number) => sql`
    select (f.t - ((f.t % ${day}) + ${day}) % ${day}) / ${day} as day, count(*) as n from facets f
    where ${whereVisible(scope, 'f')} and f.t >= ${from} and f.t < ${to} group by 1`;
  if (!coversWholeDays(scope)) return each(NO_TIME + 1, Number.MAX_SAFE_INTEGER);
  const { since = NO_TIME + 1, until = Number.MAX_SAFE_INTEGER } = scope;
  const [first, last] = [Math.ceil(since / DAY_MS), Math.floor(until / DAY_MS)];
  if (first >= last) return each(since, until);
  return sql`
    select day, n from days where stream_id = ${scope.stream.streamId}
      and day >= ${first} and day < ${last} and day > ${NO_TIME}
    union all select * from (${each(since, first * DAY_MS)})
    union all select * from (${each(last * DAY_MS, until)})`;
}

function highest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.max(a, b);
}

function lowest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.min(a, b);
}

/** The first and the last visible time, from either end of the index. */
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
