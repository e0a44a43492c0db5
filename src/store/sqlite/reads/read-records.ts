import { type Kysely, sql } from 'kysely';
import { type Scope, whereVisible } from '../scope.ts';
import type { Tables } from '../tables.ts';
import { storedVersion } from './long/bound-record.ts';
import { readKeys } from './read-keys.ts';

/** A record by its key, or by the one key that begins so. */
export async function readRecords(
  db: Kysely<Tables>,
  scope: Scope,
  key: string,
  match: 'exact' | 'prefix',
): Promise<{ key: string; t: number; version: string }[]> {
  const keys =
    match === 'exact' ? [key] : await readKeys(db, scope, { from: key, below: `${key}\u{10ffff}` }, 2);
  const { rows } = await sql<{ key: string; t: number; version: string }>`
    select r.key as key, r.t as t, ${storedVersion('r')} as version from records r
    where ${whereVisible(scope, 'r')} and r.key in (${sql.join(keys.length === 0 ? [null] : keys)}) order by r.key`.execute(
    db,
  );
  return rows;
}
