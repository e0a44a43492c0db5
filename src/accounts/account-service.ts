import type { AccountView } from './account-view.ts';
import type { AccountCollection, AccountField, AccountKind, SyncErrorCode } from './sync-source.ts';

/** A kind of account that the owner can add. */
export interface AccountKindView {
  readonly kind: AccountKind;
  readonly title: string;
  readonly fields: readonly AccountField[];
  readonly isAddedOnPages: boolean;
}

/** The settings that the owner entered. Values of text fields may be strings: sources parse them. */
export interface AccountInput {
  readonly kind: AccountKind;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly secret?: string | undefined;
  /** The server is at home: private addresses are allowed. */
  readonly allowsPrivate?: boolean;
}

export interface NewAccount extends AccountInput {
  /** The connection that gets the records, such as that of an earlier import. Without it, it is found or created. */
  readonly connectionId?: string | undefined;
  /** Ids of collections. Without them, the defaults are synced. */
  readonly collections?: readonly string[] | undefined;
  readonly intervalSeconds?: number | undefined;
}

/** Why a connection test failed, in sentences for the owner. */
export interface CheckProblem {
  readonly code: SyncErrorCode;
  readonly message: string;
  readonly fix: string;
}

export type CheckOutcome =
  | {
      readonly state: 'ok';
      readonly account: string;
      readonly collections: readonly AccountCollection[];
      readonly notes: readonly string[];
    }
  | { readonly state: 'failed'; readonly problem: CheckProblem };

export type AddOutcome =
  | { readonly state: 'added'; readonly account: AccountView }
  | { readonly state: 'failed'; readonly problem: CheckProblem };

export interface AccountChanges {
  readonly intervalSeconds?: number;
  /** Ids of collections; null: the defaults. */
  readonly collections?: readonly string[] | null;
  /** Whether the files of mails that arrive from now on are kept. */
  readonly keepsFiles?: boolean;
}

/**
 * The owner's accounts. Methods throw AppError: `not_found` for an unknown id, `invalid_argument` for wrong settings,
 * `conflict` for an account that exists already.
 */
export interface AccountService {
  /** Lists what can be added on a page. */
  listKinds(): Promise<readonly AccountKindView[]>;
  list(): Promise<readonly AccountView[]>;
  get(accountId: string): Promise<AccountView>;
  /** Connects with the settings and lists what can be synced. Stores nothing. */
  check(input: AccountInput): Promise<CheckOutcome>;
  /** Tests the connection, stores the account and starts its first sync. */
  add(input: NewAccount): Promise<AddOutcome>;
  /** Connects again and lists the collections, with `isDefault` for those that are synced now. */
  listCollections(accountId: string): Promise<CheckOutcome>;
  change(accountId: string, changes: AccountChanges): Promise<AccountView>;
  /** Replaces the password after a connection test. A stopped account starts again. */
  replaceSecret(accountId: string, secret: string): Promise<AddOutcome>;
  /** Starts a sync soon. Returns at once. */
  syncNow(accountId: string): Promise<AccountView>;
  pause(accountId: string): Promise<AccountView>;
  resume(accountId: string): Promise<AccountView>;
  /** Forgets the account and its password. Its connection and records stay; remove the connection to remove both. */
  remove(accountId: string): Promise<void>;
}
