import { type Kysely, sql } from 'kysely';
import type { Tables } from '../store/tables.ts';
import { isVisible, projectRecord, type Scope, whereVisible } from './scope.ts';

/** A record as it is now to the reader, or word that it is gone from their view. */
export type VisibleChange = { key: string; record: Record<string, unknown> } | { key: string; removed: true };

export interface ChangesRequest {
  /** Changes after this number, up to and including the horizon. */
  readonly since: number;
  readonly horizon: number;
  readonly afterKey: string | undefined;
  readonly limit: number;
}

interface Version {
  t: number;
  data: string | null;
}

const CANDIDATES = 500;

/**
 * What changed for this reader, by key. A change counts only if the granted projection differs between
 * the two moments: hidden fields, records outside the window and records never seen leave no trace, and
 * the order is by key because the order of changes would tell of hidden ones.
 */
export async function readChanges(
  db: Kysely<Tables>,
  scope: Scope,
  request: ChangesRequest,
): Promise<VisibleChange[]> {
  const changes: VisibleChange[] = [];
  let afterKey = request.afterKey;
  for (;;) {
    const keys = await readChangedKeys(db, scope, request, afterKey);
    for (const key of keys) {
      afterKey = key;
      const change = await compareVersions(db, scope, key, request);
      if (change !== undefined) changes.push(change);
      if (changes.length >= request.limit) return changes;
    }
    if (keys.length < CANDIDATES) return changes;
  }
}

async function readChangedKeys(
  db: Kysely<Tables>,
  scope: Scope,
  request: ChangesRequest,
  afterKey: string | undefined,
): Promise<string[]> {
  const { since } = request;
  const after = afterKey === undefined ? sql`true` : sql`key > ${afterKey}`;
  const id = scope.stream.streamId;
  // From the beginning every record is a candidate and the key index gives them in order; later on few are.
  const order = since === 0 ? sql`key` : sql`+key`;
  const { rows } = await sql<{ key: string }>`
    select key from (
      select key from (select key from records where stream_id = ${id} and seq > ${since} and ${after} order by ${order} limit ${CANDIDATES})
      union
      select key from (select key from history where stream_id = ${id} and to_seq > ${since} and ${after} order by +key limit ${CANDIDATES})
    ) order by key limit ${CANDIDATES}`.execute(db);
  return rows.map((row) => row.key);
}

async function compareVersions(
  db: Kysely<Tables>,
  scope: Scope,
  key: string,
  request: ChangesRequest,
): Promise<VisibleChange | undefined> {
  const before = request.since === 0 ? undefined : await readVersion(db, scope, key, request.since);
  const after = await readVersion(db, scope, key, request.horizon);
  const wasVisible = before !== undefined && isVisible(scope, { t: before.t, key });
  if (after === undefined || after.data === null || !isVisible(scope, { t: after.t, key })) {
    return wasVisible ? { key, removed: true } : undefined;
  }
  const record = projectRecord(scope, after.data);
  if (
    wasVisible &&
    before.data !== null &&
    JSON.stringify(projectRecord(scope, before.data)) === JSON.stringify(record)
  ) {
    return undefined;
  }
  return { key, record };
}

/** The version of a record that was current at a change number. */
async function readVersion(
  db: Kysely<Tables>,
  scope: Scope,
  key: string,
  at: number,
): Promise<Version | undefined> {
  const id = scope.stream.streamId;
  const { rows } = await sql<Version>`
    select t, data from records where stream_id = ${id} and key = ${key} and seq <= ${at}
    union all
    select t, data from history where stream_id = ${id} and key = ${key} and from_seq <= ${at} and to_seq > ${at}`.execute(
    db,
  );
  return rows[0];
}

/** The number of the latest change in the store: where a new session of changes begins. */
export async function readHorizon(db: Kysely<Tables>): Promise<number> {
  const row = await db
    .selectFrom('counters')
    .select('value')
    .where('name', '=', 'seq')
    .executeTakeFirstOrThrow();
  return row.value;
}

/** A record by its key, or by the one key that begins so. */
export async function readRecords(
  db: Kysely<Tables>,
  scope: Scope,
  key: string,
  match: 'exact' | 'prefix',
): Promise<{ key: string; t: number; data: string }[]> {
  const test =
    match === 'exact' ? sql`r.key = ${key}` : sql`r.key >= ${key} and r.key < ${`${key}\u{10ffff}`}`;
  const { rows } = await sql<{ key: string; t: number; data: string }>`
    select r.key as key, r.t as t, r.data as data from records r where ${whereVisible(scope, 'r')} and ${test} order by r.key limit 2`.execute(
    db,
  );
  return rows;
}
