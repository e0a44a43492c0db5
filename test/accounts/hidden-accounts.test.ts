import { describe, expect, it } from 'vitest';
import { accountRow } from '../support/accounts/account-row.ts';
import { createNotesWorld } from '../support/notes-source.ts';
import type { World } from '../support/world.ts';

const CALLS: readonly [tool: string, args: Record<string, unknown>][] = [
  ['schema', {}],
  ['schema', { connection_id: 'home' }],
  ['schema', { connection_id: 'hidden' }],
  ['query_records', { stream: 'notes' }],
  ['query_records', { stream: 'notes', changes_since: 'now' }],
  ['query_records', { stream: 'accounts' }],
  ['query_records', { stream: 'account_items' }],
  ['aggregate', { stream: 'notes', metric: 'count' }],
  ['search', { query: 'ferry museum anna@example.org' }],
  ['search', { query: 'anna example org password' }],
  ['fetch', { id: 'home/notes/n1' }],
  ['fetch', { id: 'acc_secret' }],
  ['fetch', { id: 'home/accounts/acc_secret' }],
];

/** Answers without what is random in each of them. */
async function readAll(world: World & { token: string }): Promise<string[]> {
  const answers: string[] = [];
  for (const [tool, args] of CALLS) {
    const { structuredContent } = await world.call(world.token, tool, args);
    const text = JSON.stringify(structuredContent, (name, value: unknown) =>
      /cursor|changes_since|request_id/.test(name) ? String(value).length : value,
    );
    answers.push(`${tool} ${JSON.stringify(args)} ${text}`);
  }
  return answers;
}

async function addAccounts(world: World): Promise<void> {
  const { accounts } = world.store.write;
  const about = {
    connection_id: 'home',
    settings: '{"server":"mail.secret.example"}',
    credentials: 'c2VjcmV0',
  };
  const problem = { code: 'credentials', message: 'Refused.', fix: 'Act.', since: '2026-11-16T00:00:00Z' };
  await accounts.add(accountRow({ account_id: 'acc_secret', ...about, problem: JSON.stringify(problem) }));
  await accounts.add(accountRow({ account_id: 'acc_other', account: 'other', connection_id: 'hidden' }));
  await accounts.putItems('acc_secret', [{ collection: 'INBOX', item: '1', version: 'x' }]);
  const reference = { stream_id: 1, collection: 'INBOX', item: '1', was_there: 0 };
  await accounts.addReferences('acc_secret', [{ ...reference, key: 'n1' }]);
  await accounts.resetCollection('acc_secret', 'INBOX');
}

describe('two stores that differ in accounts only', () => {
  it('give the same answers', async () => {
    const [plain, synced] = [await createNotesWorld(), await createNotesWorld()];
    await addAccounts(synced);
    const answers = await readAll(synced);
    expect(answers).toEqual(await readAll(plain));
    expect(answers.join('\n')).not.toMatch(/mail\.secret|c2VjcmV0|INBOX/);
    plain.close();
    synced.close();
  });
});
