import { type Kysely, type RawBuilder, sql } from 'kysely';
import { yieldToEventLoop } from '../../../limits/yield-to-event-loop.ts';
import type { Scope } from '../../scope.ts';
import { compareText } from '../../values.ts';
import type { Tables } from '../tables.ts';
import { inRange } from './read-keys.ts';
import { whereVisible } from './visible-sql.ts';

/** Change numbers read before yielding to the event loop. */
const STEP_CHANGES = 5_000;

/** Yields ranges of change numbers after one, and yields to the event loop in between. The last range has no end. */
export async function* walkChanges(
  db: Kysely<Tables>,
  since: number,
): AsyncGenerator<{ from: number; to: number | undefined }> {
  const { rows } = await sql<{ value: number }>`select value from counters where name = 'seq'`.execute(db);
  const last = rows[0]?.value ?? 0;
  let from = since;
  for (; from + STEP_CHANGES < last; from += STEP_CHANGES) {
    yield { from, to: from + STEP_CHANGES };
    await yieldToEventLoop();
  }
  yield { from, to: undefined };
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
