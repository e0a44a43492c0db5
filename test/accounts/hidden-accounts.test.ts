import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccountRow } from '../../src/store/accounts/account-store.ts';
import { expectSame } from '../store/contract/two-worlds/compare-worlds.ts';
import { accountRow } from '../support/accounts/account-row.ts';
import { accountView, createScriptedAccounts, wrongPassword } from '../support/accounts/scripted-accounts.ts';
import { note, notesSource, smallNotes } from '../support/notes-source.ts';
import { createWorld, type World } from '../support/world.ts';
import { type Call, readAsApp, readPagesOfApp } from './support/read-surfaces.ts';

const CALLS: readonly Call[] = [
  ['schema', {}],
  ['schema', { connection_id: 'home' }],
  ['schema', { connection_id: 'vault' }],
  ['schema', { stream: 'notes', detail: 'full' }],
  ['query_records', { stream: 'notes' }],
  ['query_records', { stream: 'notes', limit: 1 }],
  ['query_records', { stream: 'notes', count: 'exact', expand: ['comments'] }],
  ['query_records', { stream: 'notes', filter: { author: 'me' } }],
  ['query_records', { stream: 'notes', changes_since: 'now' }],
  ['query_records', { stream: 'notes', changes_since: 'beginning' }],
  ['query_records', { stream: 'accounts' }],
  ['query_records', { stream: 'account_items' }],
  ['query_records', { stream: 'notes', connection_id: 'vault' }],
  ['aggregate', { stream: 'notes', metric: 'count' }],
  ['aggregate', { stream: 'notes', interval: 'month', group_by: ['author'] }],
  ['search', { query: 'ferry museum anna@example.org' }],
  ['search', { query: 'ferry', limit: 1 }],
  ['search', { query: 'anna example org password' }],
  ['fetch', { id: 'home/notes/n1' }],
  ['fetch', { id: 'vault/notes/n1' }],
  ['fetch', { id: 'acc_secret' }],
  ['fetch', { id: 'home/accounts/acc_secret' }],
];

const SECRETS = /mail\.secret|c2VjcmV0|INBOX|anna@secret|Refused/;
const account = (changes: Partial<AccountRow>) =>
  accountRow({
    account_id: 'acc_secret',
    account: 'anna@secret.example',
    settings: '{"server":"mail.secret.example"}',
    credentials: 'c2VjcmV0',
    ...changes,
  });
const problem = JSON.stringify({
  ...{ code: 'credentials', message: 'Refused.', fix: 'Act.' },
  since: '2026-11-16T00:00:00Z',
});

/** Everything in which an account can differ. */
const variants: Readonly<Record<string, Partial<AccountRow>>> = {
  'has not run': {},
  'has run': {
    last_run_at: '2026-11-16T11:59:00Z',
    last_changes: '{"notes":{"new":900}}',
    state: '{"uid":7}',
  },
  'is running': { running_until: '2999-01-01T00:00:00Z', progress: '{"records":500,"of":900}' },
  'has failed for weeks': { problem, stopped: 1, failures: 99, last_run_at: '2026-10-01T00:00:00Z' },
  'is paused': { paused: 1, next_run_at: '2026-11-17T00:00:00Z', interval_seconds: 60 },
  'stored records with a time to come': { emitted_at: Date.parse('2031-01-01') },
};

/** A granted connection and a hidden one with the same records, and the accounts of either. */
async function openWorld(rows: readonly AccountRow[]) {
  const scripted = createScriptedAccounts();
  const world = await createWorld({ accounts: scripted.service, clock: 'real' });
  await world.addSource(notesSource, { home: 'Notes', vault: 'Other notes' });
  await world.ingest('home', 'notes', smallNotes);
  await world.ingest('vault', 'notes', [note('n1', { title: 'ferry', author: 'me' })]);
  for (const row of rows) {
    const { accounts } = world.store.write;
    await accounts.add(row);
    scripted.put(
      accountView({
        ...{ account_id: row.account_id, account: row.account, connection_id: row.connection_id },
        state: row.stopped === 1 ? 'stopped' : 'ok',
        problem: row.problem === null ? null : { ...wrongPassword, since: '2026-10-01T00:00:00Z' },
      }),
    );
    await accounts.putItems(row.account_id, [{ collection: 'INBOX', item: '1', version: 'x' }]);
    const reference = { stream_id: 1, collection: 'INBOX', item: '1', was_there: 0 };
    await accounts.addReferences(row.account_id, [{ ...reference, key: 'n1' }]);
    await accounts.resetCollection(row.account_id, 'INBOX');
  }
  const { token, grantId } = await world.grant([{ connection_id: 'home' }]);
  return { world, token, grantId };
}

async function readAll({ world, token, grantId }: { world: World; token: string; grantId: string }) {
  return [...(await readAsApp(world, token, CALLS)), ...(await readPagesOfApp(world, grantId))];
}

describe('two stores that differ in accounts only', () => {
  let plain: Awaited<ReturnType<typeof openWorld>>;
  let expected: string[];
  beforeAll(async () => {
    plain = await openWorld([]);
    expected = await readAll(plain);
  });
  afterAll(() => plain.world.close());

  it('are compared by answers, errors and pages that are not empty', () => {
    const text = expected.join('\n');
    for (const shown of ['Lisbon trip', 'unknown_stream', 'not_found', 'Test app', '"viewing_as":{'])
      expect(text).toContain(shown);
  });

  it.each(Object.entries(variants))('give the same answers: an account %s', async (_, changes) => {
    const synced = await openWorld([
      account({ ...changes, connection_id: 'home' }),
      account({ ...changes, account_id: 'acc_other', account: 'other', connection_id: 'vault' }),
      account({ ...changes, account_id: 'acc_new', account: 'new' }),
    ]);
    try {
      const answers = await readAll(synced);
      expect(answers).toHaveLength(expected.length);
      for (const [at, answer] of answers.entries())
        expectSame(answer.split(' ', 1).join(), expected[at] as string, answer);
      expect(answers.join('\n')).not.toMatch(SECRETS);
    } finally {
      synced.world.close();
    }
  });
});
