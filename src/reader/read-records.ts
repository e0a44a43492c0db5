import { type Kysely, sql } from 'kysely';
import type { Tables } from '../store/tables.ts';
import { readKeys } from './read-keys.ts';
import { projectRecord, type Scope, whereVisible } from './scope.ts';

/** A record by its key, or by the one key that begins so. */
export async function readRecords(
  db: Kysely<Tables>,
  scope: Scope,
  key: string,
  match: 'exact' | 'prefix',
): Promise<{ key: string; t: number; data: string }[]> {
  const keys =
    match === 'exact' ? [key] : await readKeys(db, scope, { from: key, below: `${key}\u{10ffff}` }, 2);
  const { rows } = await sql<{ key: string; t: number; data: string }>`
    select r.key as key, r.t as t, r.data as data from records r
    where ${whereVisible(scope, 'r')} and r.key in (${sql.join(keys.length === 0 ? [null] : keys)}) order by r.key`.execute(
    db,
  );
  return rows;
}

/** Visible records of a stream by key, projected, in one go and in order of key: for telling what keys stand for. */
export async function readByKeys(
  db: Kysely<Tables>,
  scope: Scope,
  keys: readonly string[],
): Promise<{ key: string; record: Record<string, unknown> }[]> {
  const { rows } = await sql<{ key: string; data: string }>`
    select r.key as key, r.data as data from records r
    where ${whereVisible(scope, 'r')} and r.key in (select value from json_each(${JSON.stringify(keys)})) order by r.key`.execute(
    db,
  );
  return rows.map(({ key, data }) => ({ key, record: projectRecord(scope, data) }));
}
