import { type Kysely, sql } from 'kysely';
import type { ChangesRequest, VisibleChange } from '../../record-reads.ts';
import { collectChanges, type Versions } from '../../records/collect-changes.ts';
import type { Scope } from '../../scope.ts';
import type { Tables } from '../tables.ts';
import { createLargeReads } from './large-reads.ts';
import { movedOutSince, readChangedKeys, visibleVersionAt } from './past.ts';
import { readKeys } from './read-keys.ts';
import { storedVersion, whereVisible } from './scope-sql.ts';

/** Reads the changes that are visible to a reader. */
export function readChanges(
  db: Kysely<Tables>,
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
  db: Kysely<Tables>,
  scope: Scope,
  keys: readonly string[],
  { since, horizon }: ChangesRequest,
): Promise<Versions[]> {
  const key = sql.ref('k.value');
  const before = since === 0 ? sql`null` : visibleVersionAt(scope, key, since);
  const { rows } = await sql<Versions>`
    select k.value as key, r.seq as seq, ${before} as before, ${movedOutSince(scope, key, since)} as left,
      case when r.seq is null then null when r.seq <= ${horizon} then ${storedVersion('r')}
        when not ${movedOutSince(scope, key, horizon)} then nullif(${visibleVersionAt(scope, key, horizon)}, '') end as after
    from json_each(${JSON.stringify(keys)}) k left join records r on ${whereVisible(scope, 'r')} and r.key = k.value
    order by k.id`.execute(db);
  return rows;
}
