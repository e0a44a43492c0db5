import { setImmediate as giveTurn } from 'node:timers/promises';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../store/tables.ts';
import { compareText } from './compare-text.ts';
import { countPlain } from './read-counts.ts';
import { readHorizon } from './read-horizon.ts';
import { isWindowed, type Scope, whereInWindow, whereVisible } from './scope.ts';

/** A stretch of keys. Both ends are optional; the upper one does not belong to it. */
export interface KeyRange {
  readonly after?: string | undefined;
  readonly from?: string | undefined;
  readonly below?: string | undefined;
}

/** Up to so many visible records of a window are looked through; of more, their keys are walked in order. */
const NARROW = 50_000;
/** Keys walked, and change numbers looked through, before others get their turn. */
const STEP_KEYS = 4_000;
const STEP_CHANGES = 5_000;

/** Whether it is better to go through all that the window shows than through all keys. Hidden records cost nothing then. */
export async function isNarrow(db: Kysely<Tables>, scope: Scope): Promise<boolean> {
  if (scope.keys !== undefined || !isWindowed(scope)) return false;
  return (await countPlain(db, scope)) <= NARROW;
}

/** The first keys of visible records in a range, in order. Never reads more than a step of hidden ones at once. */
export async function readKeys(
  db: Kysely<Tables>,
  scope: Scope,
  range: KeyRange,
  limit: number,
): Promise<string[]> {
  if (scope.keys !== undefined || !isWindowed(scope)) return readFirstKeys(db, scope, 'r', range, limit);
  if (await isNarrow(db, scope)) return readFirstKeys(db, scope, 'f', range, limit);
  const keys: string[] = [];
  for (let place: KeyRange | undefined = range; place !== undefined && keys.length < limit; ) {
    const step = await readStep(db, scope, place, limit - keys.length);
    keys.push(...step.keys);
    place = step.last === null ? undefined : { after: step.last, below: range.below };
    await giveTurn();
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

/** The visible ones among the next keys of the stream, and the last key that was looked at if there are more. */
async function readStep(db: Kysely<Tables>, scope: Scope, range: KeyRange, limit: number) {
  const { rows } = await sql<{ key: string | null; last: string | null }>`
    with step as materialized (
      select r.key, r.t from records r indexed by records_key where r.stream_id = ${scope.stream.streamId} and ${inRange(range, sql.ref('r.key'))}
      order by r.key limit ${STEP_KEYS}
    )
    select null as key, max(step.key) as last from step having count(*) = ${STEP_KEYS}
    union all select * from (
      select step.key, null from step where ${whereInWindow(scope, sql.ref('step.t'))} order by step.key limit ${limit}
    )`.execute(db);
  return {
    keys: rows.flatMap(({ key }) => key ?? []),
    last: rows.find(({ key }) => key === null)?.last ?? null,
  };
}

function inRange({ after, from, below }: KeyRange, key: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`${after === undefined ? sql`true` : sql`${key} > ${after}`}
    and ${from === undefined ? sql`true` : sql`${key} >= ${from}`}
    and ${below === undefined ? sql`true` : sql`${key} < ${below}`}`;
}

/**
 * Keys of records that may look different to this reader since a change number, the first of them in order: those
 * that are visible now and have changed, and those that were visible then and are no longer what they were.
 */
export async function readChangedKeys(
  db: Kysely<Tables>,
  scope: Scope,
  since: number,
  after: string | undefined,
  limit: number,
): Promise<string[]> {
  // Granted keys are few: whatever they are, comparing tells.
  if (scope.keys !== undefined)
    return [...scope.keys]
      .filter((key) => after === undefined || compareText(key, after) > 0)
      .sort(compareText);
  let keys: string[] = [];
  // Upwards, because a record that changes meanwhile moves upwards and is met again.
  for await (const { from, to } of walkChanges(db, since)) {
    const inStep = (seq: RawBuilder<unknown>) =>
      sql`${seq} > ${from} ${to === undefined ? sql`` : sql`and ${seq} <= ${to}`}`;
    const beyond = (key: RawBuilder<unknown>) => inRange({ after }, key);
    const { rows } = await sql<{ key: string }>`
      select r.key from records r indexed by records_seq
      where ${whereVisible(scope, 'r')} and ${inStep(sql.ref('r.seq'))} and ${beyond(sql.ref('r.key'))}
      union
      select h.key from history h indexed by history_to
      where ${whereVisible(scope, 'h')} and ${inStep(sql.ref('h.to_seq'))} and h.from_seq <= ${since} and ${beyond(sql.ref('h.key'))}
      order by 1 limit ${limit}`.execute(db);
    keys = mergeKeys(
      keys,
      rows.map((row) => row.key),
    ).slice(0, limit);
  }
  return keys;
}

/** Two lists in order, each without doubles, as one. */
function mergeKeys(a: readonly string[], b: readonly string[]): string[] {
  if (a.length === 0) return [...b];
  if (b.length === 0) return [...a];
  return [...new Set([...a, ...b])].sort(compareText);
}

/** Change numbers after one, step by step, with a turn for others in between. The last step has no end. */
export async function* walkChanges(
  db: Kysely<Tables>,
  since: number,
): AsyncGenerator<{ from: number; to: number | undefined }> {
  const last = await readHorizon(db);
  let from = since;
  for (; from + STEP_CHANGES < last; from += STEP_CHANGES) {
    yield { from, to: from + STEP_CHANGES };
    await giveTurn();
  }
  yield { from, to: undefined };
}
