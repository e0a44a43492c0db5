import { type Kysely, sql } from 'kysely';
import { yieldToEventLoop } from '../../../limits/yield-to-event-loop.ts';
import type { ChangesRequest, VisibleChange } from '../../record-reads.ts';
import type { Scope } from '../../scope.ts';
import type { Tables } from '../tables.ts';
import { readBound, readFingerprints, storedVersion } from './long/bound-record.ts';
import { movedOutSince, readChangedKeys, visibleVersionAt } from './past.ts';
import { readKeys } from './read-keys.ts';
import { whereVisible } from './scope-sql.ts';

interface Versions {
  key: string;
  /** The change number of the present record; null if it is not visible now. */
  seq: number | null;
  /** The version that was visible at the horizon and has stayed visible until now. */
  after: string | null;
  /** The version that was visible at the beginning; empty if the record was deleted later. */
  before: string | null;
  left: 0 | 1;
}

/** Keys that are read at once. Since a change number, most of them may turn out unchanged. */
const MAX_CANDIDATES = 20_000;
const MAX_FIRST_CANDIDATES = 250;
/** Records that are compared at once, in two versions each. */
const MAX_COMPARED_RECORDS = 50;

/**
 * Reads the changes that are visible to a reader. A record counts only if its granted part differs between the two
 * moments, or if it was not visible in between. The order is by key: the order of changes would reveal hidden ones.
 */
export async function readChanges(
  db: Kysely<Tables>,
  scope: Scope,
  request: ChangesRequest,
): Promise<VisibleChange[]> {
  const changes: VisibleChange[] = [];
  for await (const keys of findCandidates(db, scope, request)) {
    for (const versions of await readVersions(db, scope, keys, request)) {
      const change = await compareVersions(db, scope, versions, request);
      if (change !== undefined) changes.push(change);
      if (changes.length >= request.limit) return changes;
      await yieldToEventLoop();
    }
  }
  return changes;
}

/** Yields keys of records that may have changed, a few at a time. From the beginning, those are the visible records. */
async function* findCandidates(
  db: Kysely<Tables>,
  scope: Scope,
  { since, afterKey }: ChangesRequest,
): AsyncGenerator<string[]> {
  const limit = since === 0 ? MAX_FIRST_CANDIDATES : MAX_CANDIDATES;
  let after = afterKey;
  for (;;) {
    const keys =
      since === 0
        ? await readKeys(db, scope, { after }, limit)
        : await readChangedKeys(db, scope, since, after, limit);
    for (let at = 0; at < keys.length; at += MAX_COMPARED_RECORDS)
      yield keys.slice(at, at + MAX_COMPARED_RECORDS);
    if (keys.length < limit) return;
    after = keys.at(-1);
  }
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

async function compareVersions(
  db: Kysely<Tables>,
  scope: Scope,
  { key, seq, after, before, left }: Versions,
  { since }: ChangesRequest,
): Promise<VisibleChange | undefined> {
  if (seq !== null && seq <= since) return undefined;
  if (after === null) return before === null ? undefined : { key, removed: true };
  const stayed = before !== null && before !== '' && left === 0;
  if (stayed && (await isSame(db, scope, before, after))) return undefined;
  const bound = await readBound(db, scope, after);
  return bound && { key, ...bound };
}

/** Returns whether the granted parts of two versions are the same. */
async function isSame(db: Kysely<Tables>, scope: Scope, before: string, after: string): Promise<boolean> {
  const print = await readFingerprints(db, scope, before);
  return print !== undefined && print === (await readFingerprints(db, scope, after));
}
