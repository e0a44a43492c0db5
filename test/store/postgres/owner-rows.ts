import type { PostgresStore } from '../../../src/store/postgres/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { ACCOUNT_ID, accountRow } from '../../support/accounts/account-row.ts';

const COLLECTION = 'INBOX';
const STREAM_ID = 1;
const reference = { stream_id: STREAM_ID, key: 'mail', collection: COLLECTION, item: '1', was_there: 1 };
const job = { id: 'job', kind: 'upload', state: 'ready', view: '{}', detail: '{}' } as const;
const limit = { max: 2, windowMs: 60_000 };
const limits = { perAddress: limit, total: limit };
const NOW = new Date();

/** Adds rows to the tables of accounts and of processes, with the same ids for every owner. */
export async function addOwnerRows(store: PostgresStore): Promise<void> {
  const { accounts } = store.write;
  await accounts.add(accountRow({ credentials: 'encrypted', state: '{"uid":1}' }));
  await accounts.putItems(ACCOUNT_ID, [{ collection: COLLECTION, item: '1', version: '1' }]);
  await accounts.addReferences(ACCOUNT_ID, [reference]);
  const { attempts, buckets, jobs } = shared(store);
  await jobs.add(job, NOW);
  await jobs.addPart(job.id, 0, 0, Buffer.from('part'));
  await attempts.add('sign-in', 'address', limits, NOW.getTime());
  await buckets.spend([{ name: 'app', amount: 1, capacity: 10, perMs: 0 }], NOW.getTime());
}

/** Reads everything of these rows through the store. The answer has nothing that differs between owners. */
export async function readOwnerRows(store: PostgresStore): Promise<string> {
  const { accounts } = store.read;
  const parts: string[] = [];
  for await (const part of shared(store).jobs.readParts(job.id, 0)) parts.push(Buffer.from(part).toString());
  return JSON.stringify([
    await accounts.list(),
    await accounts.find(ACCOUNT_ID),
    await accounts.listItems(ACCOUNT_ID, COLLECTION, '', 10),
    await accounts.findItems(ACCOUNT_ID, COLLECTION, ['1']),
    await accounts.listCollections(ACCOUNT_ID),
    await accounts.listReferences(ACCOUNT_ID, COLLECTION, ['1']),
    await accounts.hasOrphans(ACCOUNT_ID),
    [...(await accounts.findReferenced(STREAM_ID, ['mail']))],
    await shared(store).jobs.list('upload'),
    await shared(store).jobs.states(),
    parts,
  ]);
}

/** Changes and removes rows in every way that the store has. */
export async function changeOwnerRows(store: PostgresStore): Promise<void> {
  const { accounts } = store.write;
  const until = new Date(NOW.getTime() + 60_000).toISOString();
  await accounts.update(ACCOUNT_ID, { paused: 1, credentials: 'other' });
  await accounts.claim(ACCOUNT_ID, NOW.toISOString(), until);
  await accounts.renewClaim(ACCOUNT_ID, [until], null);
  await accounts.putItems(ACCOUNT_ID, [{ collection: COLLECTION, item: '1', version: '2' }]);
  await accounts.markExisting(STREAM_ID, ['mail']);
  await accounts.resetCollection(ACCOUNT_ID, COLLECTION);
  await accounts.takeOrphans(ACCOUNT_ID, 10);
  await accounts.removeItems(ACCOUNT_ID, COLLECTION, ['1']);
  await accounts.remove(ACCOUNT_ID);
  const { attempts, buckets, jobs, leases, prune } = shared(store);
  await leases.tryRun('imports', async () => {});
  await jobs.save(job.id, { state: 'running', view: '{}', detail: '{}' }, NOW);
  await jobs.askToStop(job.id, ['running']);
  await jobs.change(job.id, ['running'], { state: 'done', view: '{"a":1}', detail: '{}' }, NOW);
  await jobs.removeParts(job.id);
  await attempts.add('sign-in', 'address', limits, NOW.getTime());
  await buckets.spend([{ name: 'app', amount: 5, capacity: 10, perMs: 0 }], NOW.getTime());
  await prune(new Date(NOW.getTime() + 30 * 86_400_000));
}

function shared(store: Store): NonNullable<Store['shared']> {
  if (store.shared === undefined) throw new Error('The store has one process.');
  return store.shared;
}
