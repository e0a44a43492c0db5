import type { AccountRow } from '../store/accounts/account-store.ts';
import type { AccountView } from './account-view.ts';
import { keepsFiles } from './keeps-files.ts';
import type { AccountProblem } from './run/account-problem.ts';
import type { AccountKind } from './sync-source.ts';

/** The names of kinds, which lists show without loading the clients. */
export const kindTitles: Readonly<Record<AccountKind, string>> = {
  imap: 'Mail (IMAP)',
  caldav: 'Calendars (CalDAV)',
  carddav: 'Contacts (CardDAV)',
  feed: 'Feed',
  webdav: 'Folder on a server (WebDAV)',
  tap: 'Singer tap',
};

/** Returns an account for people. It has neither the settings nor the password. */
export function toAccountView(row: AccountRow, now: Date): AccountView {
  const problem = parse<AccountProblem>(row.problem);
  const isRunning = isHeld(row, now);
  return {
    account_id: row.account_id,
    kind: row.kind as AccountKind,
    title: kindTitles[row.kind as AccountKind] ?? row.kind,
    account: row.account,
    connection_id: row.connection_id,
    state: isRunning ? 'syncing' : findState(row),
    last_synced_at: row.last_run_at,
    next_sync_at: row.paused === 1 || row.stopped === 1 ? null : row.next_run_at,
    interval_seconds: row.interval_seconds,
    keeps_files: keepsFiles(row),
    last_changes: parse(row.last_changes) ?? null,
    progress: isRunning ? (parse(row.progress) ?? null) : null,
    problem: problem ?? null,
  };
}

/** Whether a run holds the account. */
export function isHeld({ running_until }: AccountRow, now: Date): boolean {
  return running_until !== null && running_until >= now.toISOString();
}

function findState(row: AccountRow): AccountView['state'] {
  if (row.paused === 1) return 'paused';
  if (row.stopped === 1) return 'stopped';
  if (row.problem !== null) return 'failing';
  return row.last_run_at === null ? 'new' : 'ok';
}

function parse<T>(text: string | null): T | undefined {
  return text === null ? undefined : (JSON.parse(text) as T);
}
