import { describe, expect, it } from 'vitest';
import { runSync } from '../../../src/accounts/run/run-sync.ts';
import type { SyncSource } from '../../../src/accounts/sync-source.ts';
import { ACCOUNT_ID, accountRow } from '../../support/accounts/account-row.ts';
import { mailboxPlan } from '../../support/accounts/fake-mailbox.ts';
import { openTestStore } from '../../support/stores/engines.ts';
import { makeFolder } from '../../support/temp-folder.ts';

/** Longer than a hold lasts. */
const FROZEN_MS = 2 * 60_000;

/** A source with one letter, which waits before its checkpoint. */
function createSource(id: string, wait: () => Promise<void>): SyncSource {
  const data = { id, thread: 't', sent_at: '2026-03-01T00:00:00Z', subject: id };
  return {
    ...{ kind: 'imap', title: 'Letters', fields: [], isAddedOnPages: true, parseSettings: (given) => given },
    check: async () => ({ account: 'anna@example.org', collections: [], notes: [] }),
    plan: async () => mailboxPlan,
    async *sync() {
      yield { kind: 'put', collection: 'inbox', item: id, records: [{ stream: 'letters', data }] };
      await wait();
      yield { kind: 'checkpoint', state: id };
    },
  };
}

function createGate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

describe('a run of a process that was frozen for longer than it may hold an account', () => {
  it('stores nothing more, and leaves the account to the run that took it over', async () => {
    const store = await openTestStore(makeFolder());
    await store.write.accounts.add(accountRow());
    let aheadMs = 0;
    const now = () => new Date(Date.now() + aheadMs);
    const sync = (source: SyncSource) =>
      runSync(store, ACCOUNT_ID, {
        ...{ loadSource: async () => source, createNetwork: () => ({}) as never, now },
        ...{ random: () => 0.5, signal: new AbortController().signal, onError: () => '' },
      });
    const [frozen, started, ended] = [createGate(), createGate(), createGate()];
    const first = sync(
      createSource('first', () => {
        started.open();
        return frozen.opened;
      }),
    );
    await started.opened;
    aheadMs = FROZEN_MS;
    const secondStarted = createGate();
    const second = sync(
      createSource('second', () => {
        secondStarted.open();
        return ended.opened;
      }),
    );
    await secondStarted.opened;
    frozen.open();
    expect(await first).toEqual({ state: 'busy' });
    expect(await store.read.accounts.find(ACCOUNT_ID)).toMatchObject({ state: null, failures: 0 });
    // The second run still holds the account.
    expect(await sync(createSource('third', async () => {}))).toEqual({ state: 'busy' });
    ended.open();
    expect(await second).toMatchObject({ state: 'synced', changes: { new: 1 } });
    expect(await store.read.accounts.find(ACCOUNT_ID)).toMatchObject({
      state: '"second"',
      running_until: null,
    });
    expect(
      (await store.read.accounts.listItems(ACCOUNT_ID, 'inbox', '', 10)).map(({ item }) => item),
    ).toEqual(['second']);
    expect((await sync(createSource('third', async () => {}))).state).toBe('synced');
    store.close();
  });
});
