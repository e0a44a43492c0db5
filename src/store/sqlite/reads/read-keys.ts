import { type Kysely, type RawBuilder, sql } from 'kysely';
import { yieldToEventLoop } from '../../../limits/yield-to-event-loop.ts';
import type { KeyRange } from '../../record-reads.ts';
import { countRecords } from '../../records/count-records.ts';
import { isWindowed } from '../../records/visible-part.ts';
import type { Scope } from '../../scope.ts';
import type { Tables } from '../tables.ts';
import { createCounts } from './read-counts.ts';
import { whereInWindow, whereVisible } from './scope-sql.ts';

/** A time range with at most this many visible records is read completely. In a larger one, keys are read in order. */
const MAX_SMALL_WINDOW_RECORDS = 50_000;
/** The number of keys that are read before yielding to the event loop. */
const KEYS_PER_STEP = 4_000;

/** Returns whether reading all visible records of the window is faster than reading all keys of the stream. */
export async function isSmallWindow(db: Kysely<Tables>, scope: Scope): Promise<boolean> {
  if (scope.keys !== undefined || !isWindowed(scope)) return false;
  return (await countRecords(createCounts(db), scope)) <= MAX_SMALL_WINDOW_RECORDS;
}

/** Returns the first keys of visible records in a range, in order. Hidden ones are skipped in steps. */
export async function readKeys(
  db: Kysely<Tables>,
  scope: Scope,
  range: KeyRange,
  limit: number,
): Promise<string[]> {
  if (scope.keys !== undefined || !isWindowed(scope)) return readFirstKeys(db, scope, 'r', range, limit);
  if (await isSmallWindow(db, scope)) return readFirstKeys(db, scope, 'f', range, limit);
  const keys: string[] = [];
  for (let rest: KeyRange | undefined = range; rest !== undefined && keys.length < limit; ) {
    const step = await readStep(db, scope, rest, limit - keys.length);
    keys.push(...step.keys);
    rest = step.last === null ? undefined : { after: step.last, below: range.below };
    await yieldToEventLoop();
  }
  return keys;
}

async function readFirstKeys(
  db: Kysely<Tables>,
  scope: Scope,
  table: 'f' | 'r',
  range: KeyRange,
  limit: number,
): Promise<string[]> {
  const from = table === 'f' ? sql`facets f` : sql`records r indexed by records_key`;
  const { rows } = await sql<{ key: string }>`
    select key from ${from} where ${whereVisible(scope, table)} and ${inRange(range, sql.ref(`${table}.key`))}
    order by key limit ${limit}`.execute(db);
  return rows.map((row) => row.key);
}

/** Returns the visible ones among the next keys of the stream, and the last key that was read if there are more. */
async function readStep(db: Kysely<Tables>, scope: Scope, range: KeyRange, limit: number) {
  const { rows } = await sql<{ key: string | null; last: string | null }>`
    with step as materialized (
      select r.key, r.t from records r indexed by records_key where r.stream_id = ${scope.stream.streamId} and ${inRange(range, sql.ref('r.key'))}
      order by r.key limit ${KEYS_PER_STEP}
    )
    select null as key, max(step.key) as last from step having count(*) = ${KEYS_PER_STEP}
    union all select * from (
      select step.key, null from step where ${whereInWindow(scope, sql.ref('step.t'))} order by step.key limit ${limit}
    )`.execute(db);
  return {
    keys: rows.flatMap(({ key }) => key ?? []),
    last: rows.find(({ key }) => key === null)?.last ?? null,
  };
}

export function inRange({ after, from, below }: KeyRange, key: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`${after === undefined ? sql`true` : sql`${key} > ${after}`}
    and ${from === undefined ? sql`true` : sql`${key} >= ${from}`}
    and ${below === undefined ? sql`true` : sql`${key} < ${below}`}`;
}
