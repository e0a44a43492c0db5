import type { AccountReads, AccountStore } from './accounts/account-store.ts';
import type { AuditStore } from './audit-store.ts';
import type { BatchStore } from './batches.ts';
import type { CatalogReads, CatalogStore } from './catalog-store.ts';
import type { GrantReads, GrantStore } from './grant-store.ts';
import type { ImportReads, ImportStore } from './import-store.ts';
import type { OAuthStore } from './oauth-store.ts';
import type { OwnerReads, OwnerStore } from './owner-store.ts';
import type { RecordReads } from './record-reads.ts';
import type { SearchReads } from './search-reads.ts';
import type { SharedState } from './shared-state.ts';
import type { StoredReads } from './stored-reads.ts';

/** Reads of committed data. Code that answers an AI app holds nothing more. */
export interface ReadStore {
  readonly records: RecordReads;
  readonly search: SearchReads;
  /** Reads without a grant, for the owner and for imports. */
  readonly stored: StoredReads;
  readonly catalog: CatalogReads;
  readonly grants: GrantReads;
  readonly owner: OwnerReads;
  readonly imports: ImportReads;
  readonly accounts: AccountReads;
}

/** Writes, and reads that belong to a transaction. */
export interface WriteStore {
  readonly batches: BatchStore;
  readonly catalog: CatalogStore;
  readonly grants: GrantStore;
  readonly oauth: OAuthStore;
  readonly owner: OwnerStore;
  readonly imports: ImportStore;
  readonly accounts: AccountStore;
  /** Reads of records that see what the current transaction has written. */
  readonly uncommitted: Omit<StoredReads, 'words'>;
  /**
   * Runs work as one transaction: its writes are committed when it resolves, and rolled back when it throws. All writes
   * in its asynchronous context belong to it. Transactions do not nest. With `first write` it takes the write lock late.
   */
  transact<T>(work: () => Promise<T>, begins?: 'now' | 'first write'): Promise<T>;
  /** Runs work after the current transaction is committed, or at once if there is none. `transact` waits for it. */
  afterCommit(work: () => Promise<void>): Promise<void>;
  /** Releases the disk space that is reserved for removing data, if the disk is almost full. Returns whether it is. */
  releaseReserve(): boolean;
}

/** Everything that the program needs of a database. */
export interface Store {
  /** The data folder. */
  readonly directory: string;
  readonly read: ReadStore;
  readonly write: WriteStore;
  readonly audit: AuditStore;
  /** The server's master secret, from which the keys of cookies, forms and refresh tokens are derived. */
  readonly secret: Uint8Array;
  /** Encrypts cursors. It changes with each restore, because positions in the old data are invalid. */
  readonly cursorKey: Uint8Array;
  /** Absent if one process has the store for itself. */
  readonly shared?: SharedState;
  /** Returns whether this program still works with the tables, which a newer release may have changed. */
  isUpToDate(): Promise<boolean>;
  close(): void;
}
