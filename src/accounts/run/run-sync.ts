import { loadKeySecret } from '../../import/key-secret.ts';
import { withKeySecret } from '../../secrets/content-hash.ts';
import type { Store } from '../../store/store.ts';
import { AccountHold, HoldLost } from './account-hold.ts';
import { AccountRemoved } from './account-records.ts';
import type { SyncOptions, SyncOutcome } from './sync-options.ts';
import { AccountRun } from './sync-run.ts';

/** Syncs an account once, unless another run holds it. Stores the outcome with the account. Throws only for bugs of the store. */
export async function runSync(store: Store, accountId: string, options: SyncOptions): Promise<SyncOutcome> {
  const hold = await AccountHold.take(store, accountId, options.now);
  if (hold === undefined) {
    const isPresent = (await store.write.accounts.find(accountId)) !== undefined;
    return { state: isPresent ? 'busy' : 'removed' };
  }
  try {
    return await runHeld(store, accountId, hold, options);
  } finally {
    await hold.release();
  }
}

async function runHeld(
  store: Store,
  accountId: string,
  hold: AccountHold,
  options: SyncOptions,
): Promise<SyncOutcome> {
  const account = await store.write.accounts.find(accountId);
  if (account === undefined) return { state: 'removed' };
  const run = new AccountRun(store, account, hold, options);
  try {
    const secret = await loadKeySecret(store, true);
    return await withKeySecret(secret, () => run.complete());
  } catch (error) {
    if (error instanceof AccountRemoved) return { state: 'removed' };
    if (error instanceof HoldLost) return { state: 'busy' };
    throw error;
  } finally {
    run.close();
  }
}
