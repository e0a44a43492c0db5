import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BatchStore } from '../../../../src/store/batches.ts';
import type { CatalogStore } from '../../../../src/store/catalog-store.ts';
import { createAccessStores } from '../../../../src/store/postgres/access-stores.ts';
import { openDatabases } from '../../../../src/store/postgres/database.ts';
import { addOwner } from '../../../../src/store/postgres/owners.ts';
import { createRecordReads } from '../../../../src/store/postgres/reads/record-reads.ts';
import { joinSnapshots } from '../../../../src/store/postgres/search/join-snapshots.ts';
import { createReadWords, createSearchReads } from '../../../../src/store/postgres/search/search-reads.ts';
import { createWordIndex } from '../../../../src/store/postgres/search/word-index.ts';
import { createStoredReads } from '../../../../src/store/postgres/stored-reads.ts';
import { createBatchStore } from '../../../../src/store/postgres/write/batch-store.ts';
import { rebuildLargeRecords } from '../../../../src/store/postgres/write/large-records.ts';
import type { RecordReads } from '../../../../src/store/record-reads.ts';
import type { SearchReads } from '../../../../src/store/search-reads.ts';
import { openStore } from '../../../../src/store/sqlite/open-store.ts';
import type { StoredReads } from '../../../../src/store/stored-reads.ts';
import { useSharedDatabase } from '../../../support/postgres/databases.ts';

/** The records of one store. */
export interface Side {
  readonly batches: BatchStore;
  readonly catalog: CatalogStore;
  readonly records: RecordReads;
  readonly search: SearchReads;
  readonly stored: StoredReads;
  transact<T>(work: () => Promise<T>): Promise<T>;
  close(): void;
}

/** Opens an empty store of each engine. */
export async function openMirror(): Promise<readonly [sqlite: Side, postgres: Side]> {
  const sqlite = await openStore(mkdtempSync(join(tmpdir(), 'mirror-')));
  const connections = await useSharedDatabase();
  const databases = openDatabases(
    connections,
    await addOwner(connections, randomUUID(), '2026-11-18T00:00:00Z'),
  );
  const { reads, writes } = databases;
  const access = createAccessStores(databases, (streamId) => rebuildLargeRecords(writes, streamId));
  return [
    {
      batches: sqlite.write.batches,
      catalog: sqlite.write.catalog,
      records: sqlite.read.records,
      search: sqlite.read.search,
      stored: sqlite.read.stored,
      transact: (work) => sqlite.write.transact(work),
      close: () => sqlite.close(),
    },
    {
      batches: createBatchStore(writes, createWordIndex(writes)),
      catalog: access.write.catalog,
      records: createRecordReads(reads),
      search: createSearchReads(joinSnapshots(reads)),
      stored: { ...createStoredReads(reads), words: createReadWords(reads) },
      transact: (work) => access.write.transact(work),
      close: () => {},
    },
  ];
}
