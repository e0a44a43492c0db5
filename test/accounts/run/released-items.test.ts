import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import type { SyncItem, SyncSource } from '../../../src/accounts/sync-source.ts';
import { ACCOUNT_ID, accountRow } from '../../support/accounts/account-row.ts';
import { createAccountWorld } from '../../support/accounts/account-world.ts';
import { mailboxPlan } from '../../support/accounts/fake-mailbox.ts';

const BATCHES = 5;

function makeLetter(id: string): SyncItem {
  const data = { id, thread: 't', sent_at: '2026-03-01T00:00:00Z', subject: id };
  return { kind: 'put', collection: 'inbox', item: id, records: [{ stream: 'letters', data }] };
}

it('releases the items of a checkpoint before the run ends', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const released: boolean[] = [];
  const source: SyncSource = {
    ...{ kind: 'imap', title: 'Letters', fields: [], isAddedOnPages: true, parseSettings: (given) => given },
    check: async () => ({ account: 'anna@example.org', collections: [], notes: [] }),
    plan: async () => mailboxPlan,
    async *sync() {
      let earlier: WeakRef<SyncItem> | undefined;
      for (let batch = 0; batch < BATCHES; batch += 1) {
        const refs: WeakRef<SyncItem>[] = [];
        for (const item of [makeLetter(`a${batch}`), makeLetter(`b${batch}`)]) {
          refs.push(new WeakRef(item));
          yield item;
        }
        yield { kind: 'checkpoint', state: batch };
        // References are kept until the current task ends.
        await new Promise((resolve) => setImmediate(resolve));
        collectGarbage();
        if (earlier !== undefined) released.push(earlier.deref() === undefined);
        earlier = refs[0];
      }
    },
  };
  const world = await createAccountWorld(source);
  await world.store.write.accounts.add(accountRow());
  expect(await world.sync(ACCOUNT_ID)).toMatchObject({ state: 'synced', changes: { new: 2 * BATCHES } });
  expect(released).toEqual(Array.from({ length: BATCHES - 1 }, () => true));
  world.store.close();
});
