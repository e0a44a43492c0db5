import { hash as digest } from 'node:crypto';
import { type Change, judgePut, type Outcome } from '../store/apply-batch.ts';
import { findStored, type Stored } from '../store/find-stored.ts';
import type { ReadStore } from '../store/open-store.ts';
import type { Scratch } from './scratch.ts';

type Put = Change & { op: 'put' };

/** Records are looked up so many at a time: each may be large, and the memory for all of them is taken at once. */
const PIECE = 10;

/**
 * Says what storing would do, by the rule that storing goes by, and stores nothing. What this run would have stored
 * before lies in the scratch database: a key may come twice in one export.
 */
export function createForeteller(
  store: ReadStore,
  scratch: Scratch,
): (streamId: number, changes: readonly Change[]) => Promise<Outcome[]> {
  scratch.raw.exec(
    `create table versions (stream_id integer, key text, n integer, data_hash blob, primary key (stream_id, key, n)) without rowid`,
  );
  const past = scratch.raw.prepare(
    'select data_hash from versions where stream_id = ? and key = ? order by n desc',
  );
  const add = scratch.raw.prepare('insert into versions values (?, ?, ?, ?)');

  const judge = (streamId: number, change: Put, { records, deletions }: Stored): Outcome => {
    const hash = digest('sha256', change.data, 'buffer').subarray(0, 16);
    const versions = past.pluck().all(streamId, change.key) as Buffer[];
    if (versions.some((version) => version.equals(hash))) return 'same';
    if (versions.length === 0) {
      const stored = records.get(change.key);
      const deletedAt = stored === undefined ? deletions.get(change.key) : undefined;
      const outcome = judgePut(change, stored, deletedAt, () => false);
      if (stored !== undefined || outcome !== 'same') add.run(streamId, change.key, 0, hash);
      return outcome;
    }
    add.run(streamId, change.key, versions.length, hash);
    return 'changed';
  };
  return async (streamId, changes) => {
    const outcomes: Outcome[] = [];
    for (let at = 0; at < changes.length; at += PIECE) {
      const piece = changes.slice(at, at + PIECE);
      const stored = await findStored(
        store,
        streamId,
        piece.map(({ key }) => key),
      );
      for (const change of piece)
        outcomes.push(change.op === 'put' ? judge(streamId, change, stored) : 'deleted');
    }
    return outcomes;
  };
}
