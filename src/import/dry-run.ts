import { hash as digest } from 'node:crypto';
import { type Change, judgePut, type Outcome } from '../store/batches.ts';
import type { Scratch } from '../store/sqlite/scratch.ts';
import type { ReadStore } from '../store/store.ts';
import type { StoredRecords } from '../store/stored-reads.ts';

type Put = Change & { op: 'put' };

/** Records are looked up so many at a time: each may be large, and the memory for all of them is taken at once. */
const PIECE = 10;

/**
 * Says what storing would do, by the rule that storing goes by, and stores nothing. What this run would have added
 * lies in the scratch database: a key may come twice in one export. What would change a record is held, as in a run.
 */
export function createDryRun(
  store: ReadStore,
  scratch: Scratch,
): (streamId: number, changes: readonly Change[], holdsChanges: boolean) => Promise<Outcome[]> {
  scratch.raw.exec(
    'create table added (stream_id integer, key text, data_hash blob, primary key (stream_id, key)) without rowid',
  );
  const find = scratch.raw.prepare('select data_hash from added where stream_id = ? and key = ?').pluck();
  const add = scratch.raw.prepare('insert or replace into added values (?, ?, ?)');

  const judge = (streamId: number, change: Put, { records, deletions }: StoredRecords): Outcome => {
    const before = find.get(streamId, change.key) as Buffer | undefined;
    if (before !== undefined) return before.equals(hashOf(change.data)) ? 'same' : 'changed';
    const stored = records.get(change.key);
    const deletedAt = stored === undefined ? deletions.get(change.key) : undefined;
    return judgePut(change, stored, deletedAt, () => false);
  };
  return async (streamId, changes, holdsChanges) => {
    const outcomes: Outcome[] = [];
    for (let at = 0; at < changes.length; at += PIECE) {
      const piece = changes.slice(at, at + PIECE);
      const stored = await store.stored.find(
        streamId,
        piece.map(({ key }) => key),
      );
      for (const change of piece) {
        const outcome = change.op === 'put' ? judge(streamId, change, stored) : 'deleted';
        const isHeld = outcome === 'changed' && holdsChanges;
        outcomes.push(isHeld ? 'held' : outcome);
        if (change.op === 'put' && !isHeld && outcome !== 'same')
          add.run(streamId, change.key, hashOf(change.data));
      }
    }
    return outcomes;
  };
}

const hashOf = (data: string): Buffer => digest('sha256', data, 'buffer').subarray(0, 16);
