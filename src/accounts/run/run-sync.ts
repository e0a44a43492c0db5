import { loadKeySecret } from '../../import/key-secret.ts';
import { withKeySecret } from '../../secrets/content-hash.ts';
import type { Store } from '../../store/store.ts';
import { AccountLease, LeaseLost } from './account-lease.ts';
import { AccountRemoved } from './account-records.ts';
import type { SyncOptions, SyncOutcome } from './sync-options.ts';
import { AccountRun } from './sync-run.ts';

/** Syncs an account once, unless another run holds it. Stores the outcome with the account. Throws only for bugs of the store. */
export async function runSync(store: Store, accountId: string, options: SyncOptions): Promise<SyncOutcome> {
  const lease = await AccountLease.take(store, accountId, options.now);
  if (lease === undefined) {
    const isPresent = (await store.write.accounts.find(accountId)) !== undefined;
    return { state: isPresent ? 'busy' : 'removed' };
  }
  try {
    return await runLeased(store, accountId, lease, options);
  } finally {
    await lease.release();
  }
}

async function runLeased(
  store: Store,
  accountId: string,
  lease: AccountLease,
  options: SyncOptions,
): Promise<SyncOutcome> {
  const account = await store.write.accounts.find(accountId);
  if (account === undefined) return { state: 'removed' };
  const run = new AccountRun(store, account, lease, options);
  try {
    const secret = await loadKeySecret(store, true);
    return await withKeySecret(secret, () => run.complete());
  } catch (error) {
    if (error instanceof AccountRemoved) return { state: 'removed' };
    if (error instanceof LeaseLost) return { state: 'busy' };
    throw error;
  } finally {
    await run.close();
  }
}
