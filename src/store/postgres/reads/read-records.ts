import { findVersions } from '../../../limits/call-context.ts';
import { readBound } from '../../large/bound-record.ts';
import type { BoundRecord } from '../../long-value.ts';
import type { NewestRow, RecordRow } from '../../record-reads.ts';
import type { Scope } from '../../scope.ts';
import { NO_TIME } from '../../values.ts';
import type { OwnerQueries } from '../owner-queries.ts';
import { sql } from '../sql.ts';
import { hasKey } from './few-values.ts';
import { createLargeReads, decodeVersion, storedVersion } from './large-reads.ts';
import { readKeys } from './read-keys.ts';
import { whereVisible } from './scope-sql.ts';

/** The number of streams that one statement reads. */
const MAX_STATEMENT_STREAMS = 200;

/** Returns the latest change number, or that of the moment when the current call came in. */
export async function readHorizon(db: OwnerQueries): Promise<number> {
  const versions = findVersions();
  if (versions !== undefined) return versions.horizon;
  const [row] = await db.query<{ value: number }>(
    sql`select value from counters where owner_id = ${db.ownerId} and name = 'seq'`,
  );
  return (row as { value: number }).value;
}

/** Returns the record with a key, or up to two whose key begins with it. */
export async function readRecords(
  db: OwnerQueries,
  scope: Scope,
  key: string,
  match: 'exact' | 'prefix',
): Promise<RecordRow[]> {
  const keys =
    match === 'exact' ? [key] : await readKeys(db, scope, { from: key, below: `${key}\u{10ffff}` }, 2);
  if (keys.length === 0) return [];
  const rows = await db.query<{ key: string; t: number; version: string }>(sql`
    select r.key, r.t, ${storedVersion('r')} as version from records r
    where ${whereVisible(db, scope, 'r')} and ${hasKey(keys)} order by r.key`);
  const large = createLargeReads(db);
  const found: RecordRow[] = [];
  for (const { key, t, version } of rows) {
    const bound = await readBound(large, scope, decodeVersion(version));
    if (bound !== undefined) found.push({ key, t, ...bound });
  }
  return found;
}

/** Returns the newest records of each of many streams, each from the end of an index. */
export async function readNewest(
  db: OwnerQueries,
  scopes: readonly Scope[],
  perScope: number,
): Promise<NewestRow[]> {
  const found: NewestRow[] = [];
  for (let from = 0; from < scopes.length; from += MAX_STATEMENT_STREAMS) {
    const parts = scopes.slice(from, from + MAX_STATEMENT_STREAMS).map(
      (scope, index) => sql`(select ${from + index}::int4 as at, r.t, r.key from records r
        where ${whereVisible(db, scope, 'r')} and r.t > ${NO_TIME} order by r.t desc, r.key desc limit ${perScope})`,
    );
    found.push(...(await db.query<NewestRow>(sql.join(parts, sql` union all `))));
  }
  return found;
}

/** Returns the records of rows that readNewest returned, in any order. They must be few enough for one statement. */
export async function readRecordsAt(
  db: OwnerQueries,
  scopes: readonly Scope[],
  wanted: readonly NewestRow[],
): Promise<(BoundRecord & { at: number; key: string })[]> {
  const parts = [...new Set(wanted.map((row) => row.at))].map((at) => {
    const keys = wanted.filter((row) => row.at === at).map((row) => row.key);
    return sql`select ${at}::int4 as at, r.key, ${storedVersion('r')} as version from records r
      where ${whereVisible(db, scopes[at] as Scope, 'r')} and r.key = any(${keys}::text[])`;
  });
  if (parts.length === 0) return [];
  const rows = await db.query<{ at: number; key: string; version: string }>(
    sql.join(parts, sql` union all `),
  );
  const large = createLargeReads(db);
  const found: (BoundRecord & { at: number; key: string })[] = [];
  for (const { at, key, version } of rows) {
    const bound = await readBound(large, scopes[at] as Scope, decodeVersion(version));
    if (bound !== undefined) found.push({ at, key, ...bound });
  }
  return found;
}
