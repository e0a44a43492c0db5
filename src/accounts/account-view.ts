import type { AccountKind, SyncErrorCode } from './sync-source.ts';

/** An account as pages, their JSON and `pdpp account list` show it. It never contains a secret. */
export interface AccountView {
  readonly account_id: string;
  readonly kind: AccountKind;
  /** The name of the kind for people: `Mail (IMAP)`. */
  readonly title: string;
  /** The name at the server: `anna@example.org`. */
  readonly account: string;
  /** The connection that its records are in; null before the first record. */
  readonly connection_id: string | null;
  /** `failing`: the last run failed and is repeated. `stopped`: nothing happens until the owner acts, as after a wrong password. */
  readonly state: 'new' | 'ok' | 'syncing' | 'paused' | 'failing' | 'stopped';
  readonly last_synced_at: string | null;
  readonly next_sync_at: string | null;
  readonly interval_seconds: number;
  /** Whether the files attached to new mails are kept. */
  readonly keeps_files: boolean;
  /** The counts of the last run that changed something. */
  readonly last_changes: {
    readonly at: string;
    readonly import_id: number | null;
    readonly new: number;
    readonly changed: number;
    readonly removed: number;
    readonly problems: number;
  } | null;
  readonly progress: { readonly done: number; readonly total: number | null } | null;
  readonly problem: {
    readonly code: SyncErrorCode;
    readonly message: string;
    readonly fix: string;
    readonly since: string;
  } | null;
}
