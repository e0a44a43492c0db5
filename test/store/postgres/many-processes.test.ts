import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { runSync } from '../../../src/accounts/run/run-sync.ts';
import type { SyncSource } from '../../../src/accounts/sync-source.ts';
import { createPruneStep } from '../../../src/audit/retention.ts';
import { createAccessFinder } from '../../../src/grants/grant.ts';
import { createGrant } from '../../../src/grants/grant-store.ts';
import { checkSetupLink, createSetupLink, takeSetupLink } from '../../../src/owner/setup-link.ts';
import type { PostgresStore } from '../../../src/store/postgres/open-store.ts';
import { ACCOUNT_ID, accountRow } from '../../support/accounts/account-row.ts';
import { mailboxPlan } from '../../support/accounts/fake-mailbox.ts';
import { openProcesses } from '../../support/postgres/open-processes.ts';

const AT = '2026-11-18T00:00:00.000Z';
const NOW = new Date(AT);

describe('three processes on one database', () => {
  let stores: PostgresStore[];
  beforeEach(async () => {
    stores = await openProcesses(3);
  });

  it('see ended access, a new catalog and an ended session with the next request', async () => {
    const [first, second] = stores as [PostgresStore, PostgresStore];
    const { grant, token } = await createGrant(first.write, { clientName: 'app', streams: [] }, NOW);
    const find = createAccessFinder(second.read, 'http://here/mcp');
    const before = await find(token, NOW);
    await first.write.grants.end(grant.grantId, AT);
    expect([before.kind, (await find(token, NOW)).kind]).toEqual(['client', 'ended']);

    const version = await second.read.catalog.version();
    await first.write.transact(() => first.write.catalog.raiseVersion());
    expect(await second.read.catalog.version()).toBe(version + 1);

    const session = { hash: 's', createdAt: AT, seenAt: AT, expiresAt: AT, userAgent: null };
    await first.write.owner.addSession(session);
    expect(await second.read.owner.findSession('s')).toEqual(session);
    await first.write.owner.deleteAllSessions();
    expect(await second.read.owner.findSession('s')).toBeUndefined();
  });

  it('use a one-time link, a code and a grant once in all', async () => {
    const { owner, oauth } = (stores[0] as PostgresStore).write;
    await owner.addSetupLink({ hash: 'link', createdAt: AT, expiresAt: '2027', usedAt: null });
    await oauth.saveItem({ kind: 'Code', idHash: 'code', payload: '{}', createdAt: 1 });
    const links = stores.map(({ write }) => write.owner.useSetupLink('link', { now: AT, latest: '2028' }));
    const codes = stores.map(({ write }) => write.oauth.consumeItem('Code', 'code', 2));
    for (const outcomes of [await Promise.all(links), await Promise.all(codes)])
      expect(outcomes.filter((used) => used)).toHaveLength(1);
  });

  it('print links that all work until one is used', async () => {
    const links = await Promise.all(
      stores.map(({ write }) => createSetupLink(write, 'http://here', NOW, 'keep')),
    );
    const [first = '', ...others] = links.map((link) => link.split('/').at(-1) as string);
    const { write } = stores[1] as PostgresStore;
    for (const secret of [first, ...others]) expect(await checkSetupLink(write, secret, NOW)).toBe('usable');
    expect(await takeSetupLink(write, first, NOW)).toBe(true);
    for (const secret of others) expect(await takeSetupLink(write, secret, NOW)).toBe(false);
  });

  it('run transactions of an owner one after the other, and number them without gaps', async () => {
    const add = ({ write }: PostgresStore) =>
      write.transact(async () => {
        const version = await write.catalog.version();
        await write.catalog.raiseVersion();
        return version;
      });
    const versions = await Promise.all([...stores, ...stores, ...stores].map(add));
    expect(versions.sort((a, b) => a - b)).toEqual(versions.map((_, at) => at));
    const ids = await Promise.all(
      [...stores, ...stores].map(({ write }) =>
        write.imports.add({
          connection_id: 'c',
          format: 'f',
          started_at: AT,
          state: 'running',
          report: '{}',
        }),
      ),
    );
    expect(ids.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('count a pruned read once, whoever prunes it', async () => {
    const read = { at: '2020-01-01T00:00:00.000Z', request_id: 'r', client: 'app', grant_id: 'g' };
    const rest = { surface: 'mcp', tool: 'search', connection_id: null, stream: null, fields: null };
    const sizes = { records: 1, tokens_out: 1, ms: 1, outcome: 'ok', touched: null, way: null };
    const { audit } = stores[0] as PostgresStore;
    await audit.appendReads(Array.from({ length: 701 }, () => ({ ...read, ...rest, ...sizes })));
    const limits = { days: 1, bytes: 2 ** 40 };
    await Promise.all(
      stores.map(async (store) => {
        const prune = createPruneStep(store.audit, (at) => `${at.slice(0, 10)}T00:00:00.000Z`);
        while (await prune(limits, { alarmsSeen: 0, liveGrants: [] }, NOW));
      }),
    );
    const [count] = await audit.countReads([['2020-01-01', '2020-01-02']], {});
    expect(count).toMatchObject({ calls: 701, records: 701 });
    expect(await audit.listReads({}, { order: 'oldest' })).toHaveLength(1);
  });

  it('sync an account in one of them at a time', async () => {
    await (stores[0] as PostgresStore).write.accounts.add(accountRow());
    const letter = { id: 'a', thread: 't', sent_at: AT, subject: 'Hello' };
    let running = 0;
    let together = 0;
    const source: SyncSource = {
      ...{
        kind: 'imap',
        title: 'Letters',
        fields: [],
        isAddedOnPages: true,
        parseSettings: (given) => given,
      },
      check: async () => ({ account: 'anna@example.org', collections: [], notes: [] }),
      plan: async () => mailboxPlan,
      async *sync() {
        together = Math.max(together, ++running);
        yield {
          ...{ kind: 'put', collection: 'inbox', item: '1' },
          records: [{ stream: 'letters', data: letter }],
        };
        await sleep(20);
        running -= 1;
        yield { kind: 'checkpoint', state: 1 };
      },
    };
    const sync = (store: PostgresStore) =>
      runSync(store, ACCOUNT_ID, {
        ...{ loadSource: async () => source, createNetwork: () => ({}) as never, onError: () => '' },
        ...{ now: () => new Date(), random: () => 0.5, signal: new AbortController().signal },
      });
    const states: string[] = [];
    for (let round = 0; round < 10; round++)
      states.push(...(await Promise.all(stores.map(sync))).map(({ state }) => state));
    expect(together).toBe(1);
    expect(states.filter((state) => state === 'synced').length).toBeGreaterThanOrEqual(10);
    expect(new Set(states)).toEqual(new Set(['synced', 'busy']));
  });
});
