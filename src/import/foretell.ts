import { createHash } from 'node:crypto';
import { type Change, judgePut, type Outcome } from '../store/apply-batch.ts';
import { prepareLookup } from '../store/find-stored.ts';
import type { SqliteStore } from '../store/open-store.ts';
import type { Scratch } from './scratch.ts';

type Put = Change & { op: 'put' };

/**
 * Says what storing would do, by the rule that storing goes by, and stores nothing. What this run would have stored
 * before lies in the scratch database: a key may come twice in one export.
 */
export function createForeteller(
  store: SqliteStore,
  scratch: Scratch,
): (streamId: number, changes: readonly Change[]) => Promise<Outcome[]> {
  scratch.raw.exec(
    `create table versions (stream_id integer, key text, n integer, data_hash blob, primary key (stream_id, key, n)) without rowid`,
  );
  const past = scratch.raw.prepare(
    'select data_hash from versions where stream_id = ? and key = ? order by n desc',
  );
  const add = scratch.raw.prepare('insert into versions values (?, ?, ?, ?)');
  const { find, findDeletion } = prepareLookup(store);

  const judge = (streamId: number, change: Put): Outcome => {
    const hash = createHash('sha256').update(change.data).digest().subarray(0, 16);
    const versions = past.pluck().all(streamId, change.key) as Buffer[];
    if (versions.some((version) => version.equals(hash))) return 'same';
    if (versions.length === 0) {
      const stored = find(streamId, change.key);
      const deletedAt = stored ?? findDeletion(streamId, change.key);
      const outcome = judgePut(
        change,
        stored,
        typeof deletedAt === 'number' ? deletedAt : undefined,
        () => false,
      );
      if (stored !== undefined || outcome !== 'same') add.run(streamId, change.key, 0, hash);
      return outcome;
    }
    add.run(streamId, change.key, versions.length, hash);
    return 'changed';
  };
  return async (streamId, changes) =>
    changes.map((change) => (change.op === 'put' ? judge(streamId, change) : 'deleted'));
}
