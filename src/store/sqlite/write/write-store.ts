import { dirname } from 'node:path';
import type Database from 'better-sqlite3';
import type { WriteStore } from '../../store.ts';
import { createCatalogStore } from '../catalog-store.ts';
import { useReserve } from '../folder/reserve.ts';
import { createGrantStore } from '../grant-store.ts';
import { createImportStore } from '../import-store.ts';
import { createOAuthStore } from '../oauth-store.ts';
import { createOwnerStore } from '../owner-store.ts';
import { createBatchStore } from './batch-store.ts';
import { WriteConnection } from './write-connection.ts';

/** The write side, with the connection itself for maintenance. Records are never written by it. */
export interface SqliteWriteStore extends WriteStore, Pick<WriteConnection, 'db' | 'transactSync'> {
  readonly raw: Database.Database;
}

export function createWriteStore(raw: Database.Database): SqliteWriteStore {
  const connection = new WriteConnection(raw);
  const { db } = connection;
  const reserve = () => useReserve(dirname(raw.name));
  return {
    raw,
    db,
    transactSync: (work, settled) => connection.transactSync(work, settled),
    transact: (work, begins) => connection.transact(work, begins),
    afterCommit: (work) => connection.afterCommit(work),
    batches: createBatchStore(connection, reserve),
    catalog: createCatalogStore(db, connection.withConnection),
    grants: createGrantStore(db),
    imports: createImportStore(db),
    oauth: createOAuthStore(db),
    owner: createOwnerStore(db),
    useReserve: reserve,
  };
}
