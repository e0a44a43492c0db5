import { type Kysely, type RawBuilder, sql } from 'kysely';
import { yieldToEventLoop } from '../../../limits/yield-to-event-loop.ts';
import { isWindowed } from '../../records/visible-part.ts';
import type { Scope } from '../../scope.ts';
import { compareText } from '../../values.ts';
import type { Tables } from '../tables.ts';
import { inRange } from './read-keys.ts';
import { storedVersion, whereInWindow, whereVisible } from './scope-sql.ts';

/**
 * Past versions of a record count only if the record has stayed visible from then until now. Deleting a record empties
 * its versions, also where the reader cannot see the deletion, so a record that moved out of view must look the same.
 */

/** Selects the version that was visible at a change number; empty if the record was deleted later. */
export function visibleVersionAt(
  scope: Scope,
  key: RawBuilder<unknown>,
  at: number,
): RawBuilder<string | null> {
  const id = scope.stream.streamId;
  return sql`(select coalesce(${storedVersion('h')}, '') from history h where ${whereVisible(scope, 'h')} and h.key = ${key} and h.to_seq > ${at}
    and h.from_seq = (select max(p.from_seq) from history p where p.stream_id = ${id} and p.key = ${key} and p.from_seq <= ${at}))`;
}

/** Returns the condition that the record was outside the window at some time after a change number. */
export function movedOutSince(scope: Scope, key: RawBuilder<unknown>, at: number): RawBuilder<boolean> {
  if (!isWindowed(scope)) return sql`false`;
  return sql`exists (select 1 from history o where o.stream_id = ${scope.stream.streamId} and o.key = ${key}
    and o.from_seq > ${at} and not (${whereInWindow(scope, sql.ref('o.t'))}))`;
}

/** Returns the condition that the record is visible now. */
export function isVisibleNow(scope: Scope, key: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`exists (select 1 from records r where ${whereVisible(scope, 'r')} and r.key = ${key})`;
}

/** The number of changes that are read before yielding to the event loop. */
const STEP_CHANGES = 5_000;

/** Splits the change numbers after `since` into ranges, yielding to the event loop in between. The last range has no end. */
export async function* listChangeRanges(
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
 * Returns the first keys, in order, of records that may have changed for this reader since a change number: changed
 * records that are visible now, and changed records that were visible then.
 */
export async function readChangedKeys(
  db: Kysely<Tables>,
  scope: Scope,
  since: number,
  after: string | undefined,
  limit: number,
): Promise<string[]> {
  // Granted keys are few, so all of them are compared.
  if (scope.keys !== undefined)
    return [...scope.keys]
      .filter((key) => after === undefined || compareText(key, after) > 0)
      .sort(compareText);
  let keys = new Set<string>();
  // In ascending order, because a record that changes meanwhile gets a higher number and is found again.
  for await (const { from, to } of listChangeRanges(db, since)) {
    const inStep = (seq: RawBuilder<unknown>) =>
      sql`${seq} > ${from} ${to === undefined ? sql`` : sql`and ${seq} <= ${to}`}`;
    const afterCursor = (key: RawBuilder<unknown>) => inRange({ after }, key);
    const { rows } = await sql<{ key: string }>`
      select r.key from records r indexed by records_seq
      where ${whereVisible(scope, 'r')} and ${inStep(sql.ref('r.seq'))} and ${afterCursor(sql.ref('r.key'))}
      union
      select h.key from history h indexed by history_to
      where ${whereVisible(scope, 'h')} and ${inStep(sql.ref('h.to_seq'))} and h.from_seq <= ${since} and ${afterCursor(sql.ref('h.key'))}
      order by 1 limit ${limit}`.execute(db);
    for (const { key } of rows) keys.add(key);
    keys = new Set([...keys].sort(compareText).slice(0, limit));
  }
  return [...keys];
}
