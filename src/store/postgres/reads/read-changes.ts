import type { ChangesRequest, VisibleChange } from '../../record-reads.ts';
import { collectChanges, type Versions } from '../../records/collect-changes.ts';
import type { Scope } from '../../scope.ts';
import type { OwnerQueries } from '../owner-queries.ts';
import { sql } from '../sql.ts';
import { createLargeReads, decodeVersion, storedVersion } from './large-reads.ts';
import { movedOutSince, readChangedKeys, visibleVersionAt } from './past.ts';
import { readKeys } from './read-keys.ts';
import { whereVisible } from './scope-sql.ts';

/** Reads the changes that are visible to a reader. */
export function readChanges(
  db: OwnerQueries,
  scope: Scope,
  request: ChangesRequest,
): Promise<VisibleChange[]> {
  const reads = {
    large: createLargeReads(db),
    keys: (scope: Scope, after: string | undefined, limit: number) => readKeys(db, scope, { after }, limit),
    changedKeys: readChangedKeys.bind(undefined, db),
    versions: readVersions.bind(undefined, db),
  };
  return collectChanges(reads, scope, request);
}

async function readVersions(
  db: OwnerQueries,
  scope: Scope,
  keys: readonly string[],
  { since, horizon }: ChangesRequest,
): Promise<Versions[]> {
  const key = sql`k.key`;
  const before = since === 0 ? sql`null::text` : visibleVersionAt(db, scope, key, since);
  const rows = await db.query<Versions>(sql`
    select k.key, r.seq, ${before} as before, ${movedOutSince(db, scope, key, since)} as left,
      case when r.seq is null then null when r.seq <= ${horizon} then ${storedVersion('r')}
        when not ${movedOutSince(db, scope, key, horizon)}
          then nullif(${visibleVersionAt(db, scope, key, horizon)}, '') end as after
    from unnest(${keys}::text[]) with ordinality as k (key, at)
      left join records r on ${whereVisible(db, scope, 'r')} and r.key = k.key
    order by k.at`);
  return rows.map((row) => ({
    ...row,
    before: decodeVersion(row.before),
    after: decodeVersion(row.after),
  }));
}
