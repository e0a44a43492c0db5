import type Database from 'better-sqlite3';
import type { BatchStore } from '../../batches.ts';
import { type Applier, getApplier, reindexRecords } from './apply-batch.ts';
import { finishRemovals } from './erase-streams.ts';
import type { WriteConnection } from './write-connection.ts';

export function createBatchStore(connection: WriteConnection, useReserve: () => boolean): BatchStore {
  return {
    write(streamId, changes, { importId, holdsChanges = false } = {}) {
      let applier: Applier | undefined;
      return connection.transactSync(
        (raw) => {
          applier = getApplier(raw);
          const before = applier.readSeq();
          const outcomes = applier.apply(streamId, changes, holdsChanges);
          const after = applier.readSeq();
          if (after > before && importId !== undefined) addSpan(raw, importId, streamId, before + 1, after);
          return outcomes;
        },
        (stored) => applier?.settle(stored),
      );
    },
    reindex: (streamId, index) => connection.withConnection((raw) => reindexRecords(raw, streamId, index)),
    // On a full disk the log must not grow.
    finishRemovals: (onProgress) => finishRemovals(connection, onProgress, { saveSpace: useReserve() }),
  };
}

/** Notes the change numbers that a batch of an import took. */
function addSpan(raw: Database.Database, importId: number, streamId: number, from: number, to: number): void {
  const joined = raw
    .prepare('update import_spans set to_seq = ? where import_id = ? and stream_id = ? and to_seq = ?')
    .run(to, importId, streamId, from - 1);
  if (joined.changes === 0)
    raw.prepare('insert into import_spans values (?, ?, ?, ?)').run(importId, streamId, from, to);
}
