import type { KeepFile } from '../attachments/attached-file.ts';
import type { Importer } from '../import/importer.ts';
import type { SourceDeclaration } from '../schema-index/declaration.ts';
import type { Network } from './network.ts';

/** The kinds of accounts, as in `pdpp account add KIND`. */
export type AccountKind = 'imap' | 'caldav' | 'carddav' | 'feed' | 'webdav' | 'tap';

/** Settings of an account as its kind declares them. Secrets are not part of them. */
export type AccountSettings = Readonly<Record<string, unknown>>;

/** One setting: a flag of `pdpp account add` and a field of the form. */
export interface AccountField {
  /** The name in the settings; the flag is `--name`. */
  readonly name: string;
  readonly label: string;
  /** A `flag` is off by default. */
  readonly type: 'text' | 'url' | 'number' | 'boolean' | 'flag' | 'choice' | 'list' | 'secret';
  readonly isRequired: boolean;
  readonly hint?: string;
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
}

/** What a source needs to connect. */
export interface SyncContext {
  readonly settings: AccountSettings;
  /** The password, app password or token, if the account has one. */
  readonly secret: string | undefined;
  /** The ids of the collections that the owner chose; undefined: those with `isDefault`. */
  readonly collections: readonly string[] | undefined;
  /** The only way to reach the network: private addresses are refused unless the owner allowed them. */
  readonly network: Network;
  readonly timeZone: string;
  readonly now: () => Date;
  readonly signal: AbortSignal;
}

/** The result of a successful connection test. */
export interface AccountCheck {
  /** The name of the account at its server: `anna@example.org`. It decides which connection the records belong to. */
  readonly account: string;
  /** The folders, calendars or address books, of which the owner may choose some. */
  readonly collections: readonly AccountCollection[];
  /** What the owner should know before saving. */
  readonly notes: readonly string[];
}

export interface AccountCollection {
  readonly id: string;
  readonly name: string;
  /** Whether it is synced unless the owner chooses otherwise. */
  readonly isDefault: boolean;
  readonly items?: number;
}

/** How the records of an account are declared and stored. */
export interface SyncPlan extends Pick<Importer, 'format' | 'title' | 'identity' | 'totals'> {
  readonly declaration: SourceDeclaration;
}

export interface SyncRecord {
  readonly stream: string;
  readonly data: Record<string, unknown>;
}

/** What a run yields, in the order in which it is stored. Texts never quote values. */
export type SyncItem =
  /**
   * A remote item and all of its records: a mail, a calendar object. Records that the item had before and has no longer
   * are deleted, unless another item has them too.
   */
  | {
      readonly kind: 'put';
      readonly collection: string;
      /** The id at the server: a UID, an href. */
      readonly item: string;
      /** The version at the server: an ETag, flags. */
      readonly version?: string;
      readonly records: readonly SyncRecord[];
      /** Stored records that the item keeps as they are: the attachments of a mail whose flags changed. */
      readonly kept?: readonly SyncKey[];
    }
  /** An item that the server no longer has. */
  | { readonly kind: 'remove'; readonly collection: string; readonly item: string }
  /** All items of a collection are gone, or have new ids. Items that are put again later in the run keep their records. */
  | { readonly kind: 'reset'; readonly collection: string }
  /** The declaration has grown since `plan`, as when a tap describes a stream. Records that follow may use it. */
  | { readonly kind: 'plan'; readonly plan: SyncPlan }
  /** A record that is not tracked by an item. It is never deleted by a run. */
  | ({ readonly kind: 'record' } & SyncRecord)
  /** Exports that were downloaded to disk. Each is imported as `pdpp import` would. */
  | { readonly kind: 'exports'; readonly paths: readonly string[] }
  /** Commits everything before it together with the state that the next run starts from. */
  | { readonly kind: 'checkpoint'; readonly state: unknown }
  | { readonly kind: 'progress'; readonly done: number; readonly total: number | undefined }
  /** Something that could not be read. `reason` continues a sentence: `has no date`. */
  | { readonly kind: 'problem'; readonly place: string; readonly reason: string }
  | { readonly kind: 'note'; readonly note: string }
  /** A name of the owner in this source: an email address. */
  | { readonly kind: 'self'; readonly value: string };

/** The items that previous runs stored. */
export interface SyncedItems {
  /** Returns the items of a collection with their versions, ordered by id. */
  list(collection: string): AsyncIterable<{ readonly item: string; readonly version: string | null }>;
  find(
    collection: string,
    items: readonly string[],
  ): Promise<ReadonlyMap<string, { readonly version: string | null; readonly records: readonly SyncKey[] }>>;
  collections(): Promise<readonly string[]>;
}

export interface SyncKey {
  readonly stream: string;
  readonly key: string;
}

export interface SyncRun extends SyncContext {
  /** Keeps the bytes of attached files, if the owner wants that. */
  readonly keepFile?: KeepFile | undefined;
  /** The state of the last checkpoint; undefined in the first run. */
  readonly state: unknown;
  readonly items: SyncedItems;
  /** Reads stored records of the connection, for records that are changed in part: flags of a mail. */
  readStored(stream: string, keys: readonly string[]): Promise<ReadonlyMap<string, Record<string, unknown>>>;
}

/** Reads one kind of account. Every method throws `SyncError` for problems that the owner can understand and solve. */
export interface SyncSource {
  readonly kind: AccountKind;
  /** The name for people: `Mail (IMAP)`. */
  readonly title: string;
  readonly fields: readonly AccountField[];
  /** Whether it can be added on a page. A tap runs a command, so it is added on the server's machine only. */
  readonly isAddedOnPages: boolean;
  /** Validates settings. Throws AppError with a message for each wrong field. */
  parseSettings(given: Readonly<Record<string, unknown>>): AccountSettings;
  /** Connects and lists what can be synced. Stores nothing. */
  check(context: SyncContext): Promise<AccountCheck>;
  plan(context: SyncContext & { readonly state: unknown }): Promise<SyncPlan>;
  /** Yields what changed since `state`. Ends early when the signal is aborted; throws when the server fails. */
  sync(run: SyncRun): AsyncIterable<SyncItem>;
  /** Resolves when the server reports a change, such as by IMAP IDLE. Absent if the server cannot report changes. */
  waitForChange?(context: SyncContext & { readonly state: unknown }): Promise<void>;
}

/** Why a run or a connection test failed. */
export type SyncErrorCode =
  | 'unreachable'
  | 'private_address'
  | 'not_encrypted'
  | 'certificate'
  | 'credentials'
  | 'forbidden'
  | 'not_found'
  | 'protocol'
  | 'too_large'
  | 'too_slow'
  | 'command_failed'
  /** An error of ours. */
  | 'internal';

/** `message` and `fix` are sentences of ours for the owner; details of the server go to the log by `cause`. */
export class SyncError extends Error {
  readonly code: SyncErrorCode;
  /** What the owner can do about it. */
  readonly fix: string;

  constructor(code: SyncErrorCode, message: string, fix: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'SyncError';
    this.code = code;
    this.fix = fix;
  }
}
