import { findVersions } from '../../limits/call-context.ts';
import type { CatalogReads } from '../catalog-store.ts';
import type { ReadStore, WriteStore } from '../store.ts';
import { createAccountReads, createAccountStore } from './accounts/account-store.ts';
import { createCatalogReads, createCatalogStore } from './catalog-store.ts';
import type { Databases } from './database.ts';
import { createGrantReads, createGrantStore } from './grant-store.ts';
import { createImportReads, createImportStore } from './import-store.ts';
import { createOAuthStore } from './oauth-store.ts';
import { createOwnerReads, createOwnerStore } from './owner-store.ts';

/** The parts of a store without records and search. */
export interface AccessStores {
  readonly read: Pick<ReadStore, 'catalog' | 'grants' | 'owner' | 'imports' | 'accounts'>;
  readonly write: Omit<WriteStore, 'batches' | 'uncommitted'>;
}

/** `rebuildLargeRecords` indexes the large records of a stream again. */
export function createAccessStores(
  { reads, writes }: Databases,
  rebuildLargeRecords: (streamId: number) => Promise<void>,
): AccessStores {
  return {
    read: {
      catalog: withCallVersion(createCatalogReads(reads)),
      grants: createGrantReads(reads),
      owner: createOwnerReads(reads),
      imports: createImportReads(reads),
      accounts: createAccountReads(reads),
    },
    write: {
      catalog: createCatalogStore(writes, rebuildLargeRecords),
      grants: createGrantStore(writes),
      oauth: createOAuthStore(writes),
      owner: createOwnerStore(writes),
      imports: createImportStore(writes),
      accounts: createAccountStore(writes),
      transact: (work, begins) => writes.begin(work, begins),
      afterCommit: (work) => writes.afterCommit(work),
      // The disk of the database is not the disk of this process.
      releaseReserve: () => false,
    },
  };
}

/** Returns the version that was read with the token of the current call, instead of reading it again. */
function withCallVersion(reads: CatalogReads): CatalogReads {
  return { ...reads, version: async () => findVersions()?.catalog ?? reads.version() };
}
