import { isWindowed } from '../../records/visible-part.ts';
import type { Scope } from '../../scope.ts';
import { compareText } from '../../values.ts';
import type { OwnerQueries } from '../owner-queries.ts';
import { type Sql, sql } from '../sql.ts';
import { storedVersion } from './large-reads.ts';
import { inRange } from './read-keys.ts';
import { whereInWindow, whereVisible } from './scope-sql.ts';

/**
 * Past versions of a record count only if the record has stayed visible from then until now. Deleting a record empties
 * its versions, also where the reader cannot see the deletion, so a record that moved out of view must look the same.
 */

const versionsOf = (db: OwnerQueries, scope: Scope, table: 'p' | 'o', key: Sql) =>
  sql`${sql.raw(table)}.owner_id = ${db.ownerId} and ${sql.raw(table)}.stream_id = ${scope.stream.streamId}
    and ${sql.raw(table)}.key = ${key}`;

/** Selects the version that was visible at a change number; empty if the record was deleted later. */
export function visibleVersionAt(db: OwnerQueries, scope: Scope, key: Sql, at: number): Sql {
  return sql`(select coalesce(${storedVersion('h')}, '') from history h
    where ${whereVisible(db, scope, 'h')} and h.key = ${key} and h.to_seq > ${at} and h.from_seq = (
      select max(p.from_seq) from history p where ${versionsOf(db, scope, 'p', key)} and p.from_seq <= ${at}))`;
}

/** Returns the condition that the record was outside the window at some time after a change number. */
export function movedOutSince(db: OwnerQueries, scope: Scope, key: Sql, at: number): Sql {
  if (!isWindowed(scope)) return sql`false`;
  return sql`exists (select 1 from history o where ${versionsOf(db, scope, 'o', key)}
    and o.from_seq > ${at} and not (${whereInWindow(scope, sql`o.t`)}))`;
}

/** Returns the condition that the record is visible now. */
export function isVisibleNow(db: OwnerQueries, scope: Scope, key: Sql): Sql {
  return sql`exists (select 1 from records r where ${whereVisible(db, scope, 'r')} and r.key = ${key})`;
}

/**
 * Returns the first keys, in order, of records that may have changed for this reader since a change number: changed
 * records that are visible now, and changed records that were visible then.
 */
export async function readChangedKeys(
  db: OwnerQueries,
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
  const rows = await db.query<{ key: string }>(sql`
    select r.key from records r
    where ${whereVisible(db, scope, 'r')} and r.seq > ${since} and ${inRange({ after }, sql`r.key`)}
    union
    select h.key from history h
    where ${whereVisible(db, scope, 'h')} and h.to_seq > ${since} and h.from_seq <= ${since}
      and ${inRange({ after }, sql`h.key`)}
    order by 1 limit ${limit}`);
  return rows.map(({ key }) => key);
}
