import { encryptCredentials } from '../../../src/accounts/credentials.ts';
import { runSync } from '../../../src/accounts/run/run-sync.ts';
import type { SyncOptions, SyncOutcome } from '../../../src/accounts/run/sync-options.ts';
import { loadSource } from '../../../src/accounts/sources.ts';
import type { Store } from '../../../src/store/store.ts';
import { ACCOUNT_ID, accountRow } from '../../support/accounts/account-row.ts';
import { HOST, PASSWORD, USER } from './dovecot.ts';
import { testNetwork } from './memory-run.ts';

/** Adds the mail account of the test server to a store. */
export async function addMailAccount(store: Store, port: number): Promise<void> {
  await store.write.accounts.add(
    accountRow({
      account: USER,
      settings: JSON.stringify({ user: USER, server: HOST, port }),
      credentials: encryptCredentials(PASSWORD, store.secret, ACCOUNT_ID),
      allows_private: 1,
    }),
  );
}

/** Syncs the account until a run comes to its end. */
export async function syncStore(
  store: Store,
  ca: string,
  more: Partial<SyncOptions> = {},
): Promise<SyncOutcome> {
  for (;;) {
    // A run that was killed holds the account for a minute.
    await store.write.accounts.update(ACCOUNT_ID, { running_until: null });
    const outcome = await runSync(store, ACCOUNT_ID, {
      loadSource,
      createNetwork: () => testNetwork(ca),
      now: () => new Date(),
      random: () => 0.5,
      signal: new AbortController().signal,
      onError: (error) => {
        throw error;
      },
      ...more,
    });
    if (outcome.state !== 'partial') return outcome;
  }
}
