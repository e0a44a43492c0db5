import { type Kysely, type RawBuilder, sql } from 'kysely';
import { DAY_MS } from '../../../time/durations.ts';
import type { Condition } from '../../conditions.ts';
import type { Period } from '../../record-reads.ts';
import { coversWholeDays, isUnrestricted, isWindowed } from '../../records/visible-part.ts';
import type { Scope } from '../../scope.ts';
import { NO_TIME } from '../../values.ts';
import type { Tables } from '../tables.ts';
import { joinData, whereConditions, whereVisible } from './scope-sql.ts';

/** Times that no record is before or after. Records without a time are before the first. */
const [FIRST, LAST] = [NO_TIME + 1, Number.MAX_SAFE_INTEGER];

/** Counts visible records, in a period or with conditions. */
export async function countRecords(
  db: Kysely<Tables>,
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
export async function countTogether(db: Kysely<Tables>, scopes: readonly Scope[]): Promise<number> {
  const whole = scopes.filter(isUnrestricted);
  let total = whole.length === 0 ? 0 : await countWhole(db, whole);
  for (const scope of scopes) if (!isUnrestricted(scope)) total += await countRecords(db, scope);
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

/** Counts visible records of each period, by day where a whole day is visible and by record at the edges. */
export async function countPeriods(
  db: Kysely<Tables>,
  scope: Scope,
  periods: readonly (readonly [from: number, to: number])[],
): Promise<number[]> {
  const byDay = coversWholeDays(scope);
  const bounds = periods.map((period) => {
    const from = Math.max(scope.since ?? period[0], period[0]);
    const to = Math.max(from, Math.min(scope.until ?? period[1], period[1]));
    const [first, last] = [Math.ceil(from / DAY_MS), Math.floor(to / DAY_MS)];
    // Without a whole day in the period, all records are counted one by one.
    return first >= last || !byDay
      ? [0, 0, from, to, to, to]
      : [first, last, from, first * DAY_MS, last * DAY_MS, to];
  });
  const bound = (at: number) => sql`json_extract(s.value, ${sql.lit(`$[${at}]`)})`;
  const visible = whereVisible(scope, 'f');
  const { rows } = await sql<{ n: number }>`
    select (select coalesce(sum(n), 0) from days where stream_id = ${scope.stream.streamId} and day >= ${bound(0)} and day < ${bound(1)})
      + (select count(*) from facets f where f.t >= ${bound(2)} and f.t < ${bound(3)} and ${visible})
      + (select count(*) from facets f where f.t >= ${bound(4)} and f.t < ${bound(5)} and ${visible})
      as n from json_each(${JSON.stringify(bounds)}) s order by s.key`.execute(db);
  return rows.map((row) => row.n);
}

async function countEach(
  db: Kysely<Tables>,
  scope: Scope,
  conditions: readonly Condition[],
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from facets f ${joinData(conditions)}
    where ${whereVisible(scope, 'f')} and ${whereConditions(scope, conditions)}`.execute(db);
  return rows[0]?.n ?? 0;
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
  const day = sql.lit(DAY_MS);
  const each = (from: number, to: number) => sql`
    select (f.t - ((f.t % ${day}) + ${day}) % ${day}) / ${day} as day, count(*) as n from facets f
    where ${whereVisible(scope, 'f')} and f.t >= ${from} and f.t < ${to} group by 1`;
  if (!coversWholeDays(scope)) return each(FIRST, LAST);
  const { since = FIRST, until = LAST } = scope;
  const [first, last] = [Math.ceil(since / DAY_MS), Math.floor(until / DAY_MS)];
  if (first >= last) return each(since, until);
  return sql`
    select day, n from days where stream_id = ${scope.stream.streamId}
      and day >= ${first} and day < ${last} and day > ${NO_TIME}
    union all select * from (${each(since, first * DAY_MS)})
    union all select * from (${each(last * DAY_MS, until)})`;
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
