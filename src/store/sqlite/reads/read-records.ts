import { type Kysely, sql } from 'kysely';
import { readBound } from '../../large/bound-record.ts';
import type { BoundRecord } from '../../long-value.ts';
import type { NewestRow, RecordRow } from '../../record-reads.ts';
import type { Scope } from '../../scope.ts';
import { NO_TIME } from '../../values.ts';
import type { Tables } from '../tables.ts';
import { readRows } from '../template.ts';
import { createLargeReads } from './large-reads.ts';
import { readKeys } from './read-keys.ts';
import { storedVersion, whereVisible } from './scope-sql.ts';

/** The number of streams that one statement reads; SQLite allows at most 500. */
const MAX_STATEMENT_STREAMS = 200;

const HORIZON = { sql: `select value from counters where name = 'seq'`, parameters: [] };

/** Returns the latest change number. */
export async function readHorizon(db: Kysely<Tables>): Promise<number> {
  const [row] = readRows<{ value: number }>(db, HORIZON);
  return (row as { value: number }).value;
}

/** Returns the record with a key, or up to two whose key begins with it. */
export async function readRecords(
  db: Kysely<Tables>,
  scope: Scope,
  key: string,
  match: 'exact' | 'prefix',
): Promise<RecordRow[]> {
  const keys =
    match === 'exact' ? [key] : await readKeys(db, scope, { from: key, below: `${key}\u{10ffff}` }, 2);
  const { rows } = await sql<{ key: string; t: number; version: string }>`
    select r.key as key, r.t as t, ${storedVersion('r')} as version from records r
    where ${whereVisible(scope, 'r')} and r.key in (${sql.join(keys.length === 0 ? [null] : keys)}) order by r.key`.execute(
    db,
  );
  const large = createLargeReads(db);
  const found: RecordRow[] = [];
  for (const { key, t, version } of rows) {
    const bound = await readBound(large, scope, version);
    if (bound !== undefined) found.push({ key, t, ...bound });
  }
  return found;
}

/** Returns the newest records of each of many streams, each from the end of an index. */
export async function readNewest(
  db: Kysely<Tables>,
  scopes: readonly Scope[],
  perScope: number,
): Promise<NewestRow[]> {
  const found: NewestRow[] = [];
  for (let from = 0; from < scopes.length; from += MAX_STATEMENT_STREAMS) {
    const parts = scopes.slice(from, from + MAX_STATEMENT_STREAMS).map(
      (scope, index) => sql`select * from (
        select ${sql.lit(from + index)} as at, f.t as t, f.key as key from facets f
        where ${whereVisible(scope, 'f')} and f.t > ${NO_TIME} order by f.t desc, f.key desc limit ${perScope})`,
    );
    const { rows } = await sql<NewestRow>`${sql.join(parts, sql` union all `)}`.execute(db);
    found.push(...rows);
  }
  return found;
}

/** Returns the records of rows that readNewest returned, in any order. They must be few enough for one statement. */
export async function readRecordsAt(
  db: Kysely<Tables>,
  scopes: readonly Scope[],
  wanted: readonly NewestRow[],
): Promise<(BoundRecord & { at: number; key: string })[]> {
  const parts = [...new Set(wanted.map((row) => row.at))].map((at) => {
    const keys = wanted.filter((row) => row.at === at).map((row) => row.key);
    return sql`select ${sql.lit(at)} as at, r.key as key, ${storedVersion('r')} as version from records r
      where ${whereVisible(scopes[at] as Scope, 'r')} and r.key in (select value from json_each(${JSON.stringify(keys)}))`;
  });
  if (parts.length === 0) return [];
  const { rows } = await sql<{
    at: number;
    key: string;
    version: string;
  }>`${sql.join(parts, sql` union all `)}`.execute(db);
  const large = createLargeReads(db);
  const found: (BoundRecord & { at: number; key: string })[] = [];
  for (const { at, key, version } of rows) {
    const bound = await readBound(large, scopes[at] as Scope, version);
    if (bound !== undefined) found.push({ at, key, ...bound });
  }
  return found;
}
