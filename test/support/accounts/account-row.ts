import type { AccountRow } from '../../../src/store/accounts/account-store.ts';

export const ACCOUNT_ID = 'acc_1';

/** An account that was added and has not run yet. */
export function accountRow(changes: Partial<AccountRow> = {}): AccountRow {
  return {
    account_id: ACCOUNT_ID,
    kind: 'imap',
    account: 'anna@example.org',
    connection_id: null,
    settings: '{}',
    credentials: null,
    allows_private: 0,
    interval_seconds: 900,
    paused: 0,
    collections: null,
    state: null,
    created_at: '2026-11-18T00:00:00.000Z',
    last_run_at: null,
    last_changes: null,
    problem: null,
    stopped: 0,
    next_run_at: null,
    failures: 0,
    emitted_at: 0,
    running_until: null,
    progress: null,
    ...changes,
  };
}
