import type { AuditStore } from './audit-store.ts';
import type { BatchStore } from './batches.ts';
import type { CatalogReads, CatalogStore } from './catalog-store.ts';
import type { GrantReads, GrantStore } from './grant-store.ts';
import type { ImportReads, ImportStore } from './import-store.ts';
import type { OAuthStore } from './oauth-store.ts';
import type { OwnerReads, OwnerStore } from './owner-store.ts';
import type { RecordReads } from './record-reads.ts';
import type { SearchReads } from './search-reads.ts';
import type { StoredReads } from './stored-reads.ts';

/** Reads of what is committed. Nothing that answers an AI app holds more than this. */
export interface ReadStore {
  readonly records: RecordReads;
  readonly search: SearchReads;
  /** What is stored altogether, whoever may read it. For the owner and for imports. */
  readonly stored: StoredReads;
  readonly catalog: CatalogReads;
  readonly grants: GrantReads;
  readonly owner: OwnerReads;
  readonly imports: ImportReads;
}

/** Writes, and reads that belong to a transaction. */
export interface WriteStore {
  readonly batches: BatchStore;
  readonly catalog: CatalogStore;
  readonly grants: GrantStore;
  readonly oauth: OAuthStore;
  readonly owner: OwnerStore;
  readonly imports: ImportStore;
  /**
   * Runs several writes as one transaction: stored whole when the work is done, not at all when it throws. Which
   * transaction a write belongs to follows the calls, so functions and libraries below need not pass anything on.
   * Transactions do not nest. With `first write` the transaction holds up nobody as long as it only reads.
   */
  transact<T>(work: () => Promise<T>, begins?: 'now' | 'first write'): Promise<T>;
  /**
   * Runs work when the present transaction is committed, never if it is not; at once where there is none. The caller
   * need not wait for it: `transact` does.
   */
  afterCommit(work: () => Promise<void>): Promise<void>;
  /** Releases the space that is reserved for removing data from a full disk. Returns whether the disk is full. */
  useReserve(): boolean;
}

/** Everything that the program needs of a database. */
export interface Store {
  /** The data folder. */
  readonly directory: string;
  readonly read: ReadStore;
  readonly write: WriteStore;
  readonly audit: AuditStore;
  /** The server's master secret, which its keys are derived from: for cookies, forms and refresh tokens. */
  readonly secret: Uint8Array;
  /** Encrypts cursors. A new one after each restore: a position in the old data means nothing in the restored data. */
  readonly cursorKey: Uint8Array;
  close(): void;
}
