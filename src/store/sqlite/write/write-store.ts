import { dirname } from 'node:path';
import type Database from 'better-sqlite3';
import type { BatchStore } from '../../batches.ts';
import type { WriteStore } from '../../store.ts';
import { createAccountStore } from '../account-store.ts';
import { createCatalogStore } from '../catalog-store.ts';
import { releaseReserve } from '../folder/reserve.ts';
import { createGrantStore } from '../grant-store.ts';
import { createImportStore } from '../import-store.ts';
import { createOAuthStore } from '../oauth-store.ts';
import { createOwnerStore } from '../owner-store.ts';
import { createStoredReads } from '../stored-reads.ts';
import { type Applier, getApplier, reindexRecords } from './apply-batch.ts';
import { finishRemovals } from './erase-streams.ts';
import { WriteConnection, type WriteQueue } from './write-connection.ts';

/** The write side of a store. Only maintenance uses its connection directly; records are written through `batches`. */
export interface SqliteWriteStore
  extends WriteStore,
    Pick<WriteConnection, 'db' | 'transactSync' | 'enterQueue'> {
  readonly raw: Database.Database;
}

export function createWriteStore(raw: Database.Database, queue?: WriteQueue): SqliteWriteStore {
  const connection = new WriteConnection(raw, queue);
  const { db } = connection;
  const release = () => releaseReserve(dirname(raw.name));
  return {
    raw,
    db,
    transactSync: (work, settled) => connection.transactSync(work, settled),
    enterQueue: () => connection.enterQueue(),
    transact: (work, begins) => connection.transact(work, begins),
    afterCommit: (work) => connection.afterCommit(work),
    batches: createBatchStore(connection, release),
    catalog: createCatalogStore(db, connection.withConnection),
    grants: createGrantStore(db),
    imports: createImportStore(db),
    accounts: createAccountStore(db),
    uncommitted: createStoredReads(db),
    oauth: createOAuthStore(db),
    owner: createOwnerStore(db),
    releaseReserve: release,
  };
}

function createBatchStore(connection: WriteConnection, releaseReserve: () => boolean): BatchStore {
  return {
    write(streamId, changes, { importId, holdsChanges = false } = {}) {
      let applier: Applier | undefined;
      return connection.joinSync(
        (raw) => {
          applier = getApplier(raw);
          const before = applier.readSeq();
          const outcomes = applier.apply(streamId, changes, holdsChanges);
          const after = applier.readSeq();
          if (after > before && importId !== undefined) addSpan(raw, importId, streamId, before + 1, after);
          return outcomes;
        },
        (stored) => applier?.afterTransaction(stored),
      );
    },
    reindex: (streamId, index) => connection.withConnection((raw) => reindexRecords(raw, streamId, index)),
    // On a full disk the log must not grow.
    finishRemovals: (onProgress) => finishRemovals(connection, onProgress, { saveSpace: releaseReserve() }),
  };
}

/** Stores the change numbers of a batch, so that its import can be undone. */
function addSpan(raw: Database.Database, importId: number, streamId: number, from: number, to: number): void {
  const joined = raw
    .prepare('update import_spans set to_seq = ? where import_id = ? and stream_id = ? and to_seq = ?')
    .run(to, importId, streamId, from - 1);
  if (joined.changes === 0)
    raw.prepare('insert into import_spans values (?, ?, ?, ?)').run(importId, streamId, from, to);
}
