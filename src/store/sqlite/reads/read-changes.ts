import { type Kysely, sql } from 'kysely';
import { yieldToEventLoop } from '../../../limits/yield-to-event-loop.ts';
import type { ChangesRequest, VisibleChange } from '../../record-reads.ts';
import type { Scope } from '../../scope.ts';
import type { Tables } from '../tables.ts';
import { readBound, readFingerprints, storedVersion } from './long/bound-record.ts';
import { movedOutSince, visibleVersionAt } from './past-sql.ts';
import { readChangedKeys } from './read-changed-keys.ts';
import { readKeys } from './read-keys.ts';
import { whereVisible } from './visible-sql.ts';

interface Versions {
  key: string;
  /** The change number of the record as it is now; null where it is not visible now. */
  seq: number | null;
  /** The version that was visible at the horizon and has stayed in view until now. */
  after: string | null;
  /** The version that was visible at the beginning; empty where the record was deleted since. */
  before: string | null;
  left: 0 | 1;
}

/** Keys found at once where most of them may turn out unchanged, and where they are what is asked for. */
const CANDIDATES = 20_000;
const FIRST_CANDIDATES = 250;
/** Records compared at once. Each is held in two versions, of which a large one is only referred to. */
const COMPARED = 50;

/**
 * What changed for this reader, by key. A change counts only if the granted projection differs between the two
 * moments, or if the record was out of view in between: hidden fields, records outside the window and records never
 * seen leave no trace, and the order is by key because the order of changes would tell of hidden ones.
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

/** Keys that may have changed, a few at a time. From the beginning, only what is visible now can be new. */
async function* findCandidates(
  db: Kysely<Tables>,
  scope: Scope,
  { since, afterKey }: ChangesRequest,
): AsyncGenerator<string[]> {
  const most = since === 0 ? FIRST_CANDIDATES : CANDIDATES;
  let after = afterKey;
  for (;;) {
    const keys =
      since === 0
        ? await readKeys(db, scope, { after }, most)
        : await readChangedKeys(db, scope, since, after, most);
    for (let at = 0; at < keys.length; at += COMPARED) yield keys.slice(at, at + COMPARED);
    if (keys.length < most) return;
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

/** Whether two versions look the same to this reader. */
async function isSame(db: Kysely<Tables>, scope: Scope, before: string, after: string): Promise<boolean> {
  const print = await readFingerprints(db, scope, before);
  return print !== undefined && print === (await readFingerprints(db, scope, after));
}
