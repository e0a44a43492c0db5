import { expect, it } from 'vitest';
import { runSync } from '../../../src/accounts/run/run-sync.ts';
import { expectSame } from '../../store/contract/two-worlds/compare-worlds.ts';
import { ACCOUNT_ID, accountRow } from '../../support/accounts/account-row.ts';
import { FakeMailbox } from '../../support/accounts/fake-mailbox.ts';
import { createDraw } from '../../support/draw.ts';
import { createWorld, type World } from '../../support/world.ts';
import { type Call, readAsApp, removeRandom } from '../support/read-surfaces.ts';

const OTHER_ID = 'acc_other';
/** The draw decides where a run saves its progress. */
const draw = createDraw(1);

const CALLS: readonly Call[] = [
  ['schema', {}],
  ['schema', { stream: 'letters', detail: 'full' }],
  ['query_records', { stream: 'letters', count: 'exact' }],
  ['query_records', { stream: 'threads', limit: 1 }],
  ['query_records', { stream: 'letters', changes_since: 'now' }],
  ['query_records', { stream: 'letters', changes_since: 'beginning' }],
  ['query_records', { stream: 'letters', changes_since: 'beginning', limit: 1 }],
  ['aggregate', { stream: 'letters', interval: 'day' }],
  ['search', { query: 'subject', limit: 2 }],
  ['search', { query: 'subjcet' }],
];

const letter = (n: number) => ({
  ...{ id: `letter-${n}`, thread: `thread-${n % 2}`, subject: `subject ${n}`, seen: false },
  sent_at: `2026-03-0${1 + n}T12:00:00Z`,
});

/** Lists that are continued later. */
const LISTS: readonly Call[] = [
  ['query_records', { stream: 'letters', changes_since: 'now' }],
  ['query_records', { stream: 'letters', limit: 1 }],
  ['query_records', { stream: 'letters', limit: 2, sort: 'subject' }],
  ['search', { query: 'subject', limit: 1 }],
];

interface Mailboxes {
  readonly world: World;
  readonly own: FakeMailbox;
  readonly other: FakeMailbox;
  readonly token: string;
  sync(accountId: string, failAfter?: number): Promise<string>;
}

/** A store with one account whose letters are granted, and one whose letters are not. */
async function openMailboxes(): Promise<Mailboxes> {
  const world = await createWorld();
  const [own, other] = [new FakeMailbox(), new FakeMailbox()];
  await world.store.write.accounts.add(accountRow());
  await world.store.write.accounts.add(accountRow({ account_id: OTHER_ID, account: 'bo@example.org' }));
  let time = Date.parse('2026-11-16T12:00:00Z');
  for (let n = 0; n < 5; n++) own.put('inbox', letter(n));
  const sync = async (accountId: string, failAfter?: number) => {
    time += 900_000;
    const mailbox = accountId === ACCOUNT_ID ? own : other;
    const { state } = await runSync(world.store, accountId, {
      loadSource: async () => mailbox.createSource(draw, failAfter),
      createNetwork: () => ({}) as never,
      now() {
        time += 10;
        return new Date(time);
      },
      random: () => 0.5,
      signal: new AbortController().signal,
      onError: () => 'sync_1',
    });
    return state;
  };
  expect(await sync(ACCOUNT_ID)).toBe('synced');
  const { connection_id } = (await world.store.write.accounts.find(ACCOUNT_ID)) ?? {};
  const { token } = await world.grant([{ connection_id: String(connection_id) }]);
  return { world, own, other, token, sync };
}

type Cursors = Record<string, string>[];

async function startLists({ world, token }: Mailboxes): Promise<Cursors> {
  const cursors: Cursors = [];
  for (const [tool, args] of LISTS) {
    const { structuredContent } = await world.call(token, tool, args);
    const { next_cursor, next_changes_since } = structuredContent;
    cursors.push(next_cursor === undefined ? { changes_since: next_changes_since } : { cursor: next_cursor });
  }
  return cursors;
}

async function continueLists({ world, token }: Mailboxes, cursors: Cursors = []): Promise<string[]> {
  const pages: string[] = [];
  for (const [at, [tool, args]] of LISTS.entries()) {
    const page = await world.call(token, tool, { ...args, ...cursors[at] });
    expect(page.isError).not.toBe(true);
    pages.push(`${tool} ${removeRandom(JSON.stringify(page))}`);
  }
  return pages;
}

const readAll = ({ world, token }: Mailboxes) => readAsApp(world, token, CALLS);

it('an app cannot tell when and how often accounts synced, and that a sync failed', async () => {
  const [once, often] = [await openMailboxes(), await openMailboxes()];
  try {
    const begun = [await startLists(once), await startLists(often)];
    // The other account fills, fails and changes; the granted one runs without a change, fails, and gets new numbers.
    for (let n = 0; n < 8; n++) often.other.put('inbox', { ...letter(n), subject: 'subject elsewhere' });
    expect(await often.sync(OTHER_ID, 3)).toBe('failed');
    for (let run = 0; run < 3; run++) {
      expect(await often.sync(ACCOUNT_ID)).toBe('synced');
      expect(await often.sync(OTHER_ID)).toBe('synced');
      often.other.put('inbox', { ...letter(run), id: `late-${run}` });
    }
    often.own.renumber('inbox', draw);
    expect(await often.sync(ACCOUNT_ID, 2)).toBe('failed');
    expect(await often.sync(ACCOUNT_ID)).toBe('synced');
    const plain = [...(await continueLists(once, begun[0])), ...(await readAll(once))];
    const synced = [...(await continueLists(often, begun[1])), ...(await readAll(often))];
    expect(plain.join('\n')).toContain('subject 4');
    expect(synced).toHaveLength(plain.length);
    for (const [at, answer] of synced.entries()) expectSame(`answer ${at}`, String(plain[at]), answer);
  } finally {
    once.world.close();
    often.world.close();
  }
});
