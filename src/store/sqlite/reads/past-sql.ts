import { type RawBuilder, sql } from 'kysely';
import { isWindowed, type Scope } from '../../scope.ts';
import { storedVersion } from './long/bound-record.ts';
import { whereInWindow, whereVisible } from './visible-sql.ts';

/**
 * What left a reader's view is gone from their past too. Deleting a record empties its earlier versions, and a
 * deletion may happen where the reader cannot see it; so a version counts only for a record that has stayed in view
 * from then until now. Then having been deleted and having moved out look alike, wherever it happened.
 */

/** The version that was visible at a change number; empty where the record was deleted since. */
export function visibleVersionAt(
  scope: Scope,
  key: RawBuilder<unknown>,
  at: number,
): RawBuilder<string | null> {
  const id = scope.stream.streamId;
  return sql`(select coalesce(${storedVersion('h')}, '') from history h where ${whereVisible(scope, 'h')} and h.key = ${key} and h.to_seq > ${at}
    and h.from_seq = (select max(p.from_seq) from history p where p.stream_id = ${id} and p.key = ${key} and p.from_seq <= ${at}))`;
}

/** Whether a record was out of the window at some time after a change number, as far as its versions tell. */
export function movedOutSince(scope: Scope, key: RawBuilder<unknown>, at: number): RawBuilder<boolean> {
  if (!isWindowed(scope)) return sql`false`;
  return sql`exists (select 1 from history o where o.stream_id = ${scope.stream.streamId} and o.key = ${key}
    and o.from_seq > ${at} and not (${whereInWindow(scope, sql.ref('o.t'))}))`;
}

/** Whether the record is visible now. */
export function isVisibleNow(scope: Scope, key: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`exists (select 1 from records r where ${whereVisible(scope, 'r')} and r.key = ${key})`;
}
