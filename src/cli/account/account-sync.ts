import { setTimeout as sleep } from 'node:timers/promises';
import type { AccountView } from '../../accounts/account-view.ts';
import { createSyncRunner } from '../../accounts/run/create-runner.ts';
import type { SyncOutcome } from '../../accounts/run/sync-options.ts';
import { AppError } from '../../errors.ts';
import type { Store } from '../../store/store.ts';
import { formatCount, print } from '../print/print.ts';
import type { Call } from '../run/call.ts';
import { withExistingStore } from '../run/with-store.ts';
import { findAccount, openAccounts, problemError, reportError } from './open-accounts.ts';

/** Syncs one account or all, in this process. Waits for a sync that a server is running. */
export async function accountSync(call: Call): Promise<void> {
  await withExistingStore(call, async (store) => {
    const accounts = openAccounts(store);
    const [given] = call.positionals;
    const chosen =
      given === undefined
        ? (await accounts.list()).filter(({ state }) => state !== 'paused')
        : [await findAccount(accounts, given)];
    const controller = new AbortController();
    const stop = () => controller.abort();
    process.once('SIGINT', stop).once('SIGTERM', stop);
    const results: { account: AccountView; outcome: SyncOutcome }[] = [];
    for (const { account_id } of chosen) {
      if (controller.signal.aborted) break;
      const outcome = await syncAll(store, account_id, controller.signal);
      results.push({ account: await accounts.get(account_id), outcome });
    }
    process.off('SIGINT', stop).off('SIGTERM', stop);
    const text = results.map(({ account, outcome }) => `${account.account}: ${describe(outcome)}`);
    print(call, results, text.length === 0 ? 'No accounts to sync.' : text.join('\n'));
    const failed = results.find(({ outcome }) => outcome.state === 'failed')?.outcome;
    if (failed?.state !== 'failed') return;
    if (results.length === 1) throw problemError(failed.problem);
    process.exitCode = 6;
  });
}

const WAIT_MS = 1_000;

/** Repeats the run until everything is synced, because each run has a budget. */
async function syncAll(store: Store, accountId: string, signal: AbortSignal): Promise<SyncOutcome> {
  const run = createSyncRunner({ store, onError: reportError });
  const changes = { new: 0, changed: 0, removed: 0, problems: 0 };
  for (;;) {
    const outcome = await run(accountId, signal);
    if (outcome.state === 'removed') throw new AppError('not_found', 'Account not found.');
    if (outcome.state === 'failed') return outcome;
    if (!('changes' in outcome)) {
      if (signal.aborted) return outcome;
      await sleep(WAIT_MS);
      continue;
    }
    for (const name of Object.keys(changes) as (keyof typeof changes)[])
      changes[name] += outcome.changes[name];
    if (outcome.state === 'synced' || signal.aborted) return { ...outcome, changes };
  }
}

function describe(outcome: SyncOutcome): string {
  switch (outcome.state) {
    case 'synced':
    case 'partial': {
      const { changes } = outcome;
      const counts = `${formatCount(changes.new)} new, ${formatCount(changes.changed)} changed, ${formatCount(changes.removed)} removed`;
      const problems = changes.problems === 0 ? '' : `, ${formatCount(changes.problems)} problems`;
      return `${counts}${problems}${outcome.state === 'partial' ? '. Stopped before the end.' : ''}`;
    }
    case 'failed':
      return `${outcome.problem.message} ${outcome.problem.fix}`;
    case 'busy':
      return 'is being synced.';
    case 'removed':
      return 'was removed.';
  }
}
