import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Change } from '../../../src/store/batches.ts';
import type { SqliteStore } from '../../../src/store/sqlite/open-store.ts';
import { openTestStore } from '../../support/stores/engines.ts';
import { makeFolder } from '../../support/temp-folder.ts';

const AT = '2026-11-18T00:00:00.000Z';
const LATER = '2026-11-19T00:00:00.000Z';

const grant = (grant_id: string) => ({
  grant_id,
  client_name: 'An app',
  created_at: AT,
  expires_at: null,
  revoked_at: null,
  body: '{}',
  client_id: null,
  verified_host: null,
  redirect_host: null,
  ended_connections: null,
});

const put = (key: string, data: Record<string, unknown>, emittedAt = 1): Change => ({
  op: 'put',
  key,
  t: 0,
  emittedAt,
  data: JSON.stringify(data),
  values: {},
  texts: {},
});

describe('a store', () => {
  let store: SqliteStore;
  beforeEach(async () => {
    store = await openTestStore(makeFolder());
  });
  afterEach(() => store.close());

  /** A connection with one stream, whose number is 1. */
  async function addStream(): Promise<void> {
    const { catalog } = store.write;
    await store.write.transact(async () => {
      await catalog.putSource('diary', '{"streams":[]}', '1', AT);
      await catalog.putConnection({
        connection_id: 'mine',
        connector_key: 'diary',
        display_name: 'Mine',
        created_at: AT,
      });
      const stream_id = await catalog.nextStreamId();
      await catalog.addStream({ stream_id, connection_id: 'mine', stream: 'entries', plan: '{}' });
      await catalog.raiseVersion();
    });
  }

  it('stores a transaction whole or not at all', async () => {
    const { grants, owner } = store.write;
    const failed = store.write.transact(async () => {
      await grants.add(grant('a'));
      await owner.setSeenEvent(7);
      throw new Error('stop');
    });
    await expect(failed).rejects.toThrow('stop');
    expect(await store.read.grants.list()).toEqual([]);
    expect(await store.read.owner.readSeenEvent()).toBe(0);
    await store.write.transact(async () => {
      await grants.add(grant('a'));
      expect(await grants.find('a')).toMatchObject({ client_name: 'An app' });
      expect(await store.read.grants.find('a')).toBeUndefined();
      await owner.setSeenEvent(7);
    });
    expect(await store.read.grants.find('a')).toEqual(grant('a'));
    expect(await store.read.owner.readSeenEvent()).toBe(7);
  });

  it('runs transactions one after the other and refuses one inside another', async () => {
    const order: string[] = [];
    const run = (name: string) =>
      store.write.transact(async () => {
        order.push(`${name} begins`);
        await store.write.grants.add(grant(name));
        order.push(`${name} ends`);
      });
    await Promise.all([run('a'), run('b')]);
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
    const nested = store.write.transact(() => store.write.transact(async () => {}));
    await expect(nested).rejects.toThrow('inside another');
  });

  it('runs work after a commit, and not after a failure', async () => {
    const done: string[] = [];
    const note = (name: string) => store.write.afterCommit(async () => void done.push(name));
    await store.write.transact(async () => {
      await note('committed');
      expect(done).toEqual([]);
    });
    await store.write
      .transact(async () => {
        await note('failed');
        throw new Error('stop');
      })
      .catch(() => {});
    await note('alone');
    expect(done).toEqual(['committed', 'alone']);
  });

  it('ends a grant once, and shortens its expiry but does not extend it', async () => {
    const { grants } = store.write;
    await grants.add(grant('a'));
    await grants.addToken({
      tokenHash: 'hash',
      kind: 'client',
      grantId: 'a',
      createdAt: AT,
      expiresAt: null,
    });
    expect(await grants.shortenExpiry('a', LATER)).toBe(true);
    expect(await grants.shortenExpiry('a', '2027-01-01T00:00:00.000Z')).toBe(false);
    expect(await store.read.grants.findAccess('hash')).toMatchObject({
      kind: 'client',
      grant_id: 'a',
      token_expires_at: LATER,
    });
    const ended = await Promise.all([grants.end('a', AT), grants.end('a', AT)]);
    expect(ended.filter((one) => one !== undefined)).toEqual([
      { grantId: 'a', clientId: undefined, clientName: 'An app' },
    ]);
    expect(await grants.setExpiry('a', null)).toBe(false);
    expect(await store.read.grants.findAccess('unknown')).toBeUndefined();
  });

  it('consumes an item of the authorization server once', async () => {
    const { oauth } = store.write;
    const item = { kind: 'Code', idHash: 'x', payload: '{}', createdAt: 1, expiresAt: 10 };
    await oauth.saveItem({ ...item, uidHash: 'uid' });
    expect(await oauth.findItem('Code', { uidHash: 'uid' })).toMatchObject({ idHash: 'x', consumedAt: null });
    const consumed = await Promise.all([
      oauth.consumeItem('Code', 'x', 2),
      oauth.consumeItem('Code', 'x', 2),
    ]);
    expect(consumed.sort()).toEqual([false, true]);
    await oauth.deleteItemsExpiredBefore(11);
    expect(await oauth.findItem('Code', { idHash: 'x' })).toBeUndefined();
  });

  it('uses a setup link once', async () => {
    const { owner } = store.write;
    await owner.addSetupLink({ hash: 'link', createdAt: AT, expiresAt: LATER, usedAt: null });
    const use = () => owner.useSetupLink('link', { now: AT, latest: LATER });
    expect((await Promise.all([use(), use()])).sort()).toEqual([false, true]);
  });

  it('tells new, changed and same records apart, and what an import changed', async () => {
    await addStream();
    const { batches, imports } = store.write;
    const importId = await imports.add({
      connection_id: 'mine',
      format: 'diary',
      started_at: AT,
      state: 'running',
      report: '{}',
    });
    expect(await batches.write(1, [put('a', { n: 1 }), put('b', { n: 1 })])).toEqual(['new', 'new']);
    const again = [put('a', { n: 1 }, 2), put('b', { n: 2 }, 2), put('c', { n: 1 }, 2)];
    expect(await batches.write(1, again, { importId, holdsChanges: true })).toEqual(['same', 'held', 'new']);
    expect(await batches.write(1, again.slice(1, 2), { importId })).toEqual(['changed']);
    expect(await store.read.stored.count()).toBe(3);
    const touched = [];
    for (const span of await imports.listSpans(importId)) {
      touched.push(...(await store.read.imports.readChanged(span)));
      expect(await store.read.imports.countChangedSince(span)).toBe(0);
    }
    expect(touched.map(({ key, before }) => [key, before])).toEqual([
      ['c', null],
      ['b', '{"n":1}'],
    ]);
    expect(await batches.write(1, [{ op: 'delete', key: 'a', emittedAt: 3 }])).toEqual(['deleted']);
    const { records, deletions } = await store.read.stored.find(1, ['a', 'b']);
    expect([[...records.keys()], [...deletions.keys()]]).toEqual([['b'], ['a']]);
  });

  it('erases a removed connection to its last record', async () => {
    await addStream();
    await store.write.batches.write(1, [put('a', { n: 1 })]);
    const before = await store.read.catalog.version();
    await store.write.transact(async () => {
      await store.write.catalog.removeConnection('mine', 'diary', LATER);
      await store.write.catalog.raiseVersion();
    });
    expect(await store.read.catalog.version()).toBeGreaterThan(before);
    expect(await store.read.catalog.listRemovals()).toEqual(['mine']);
    expect(await store.write.catalog.nextStreamId()).toBe(2);
    await expect(store.write.batches.write(1, [put('b', { n: 1 })])).rejects.toMatchObject({
      code: 'unknown_connection',
    });
    expect(await store.write.batches.finishRemovals()).toEqual({ records: 1, connectionIds: ['mine'] });
    expect(await store.read.catalog.listRemovals()).toEqual([]);
    expect((await store.read.stored.find(1, ['a'])).records.size).toBe(0);
    expect(await store.read.catalog.listSources()).toEqual([]);
  });

  it('numbers reads and events as they are written', async () => {
    const event = { at: AT, kind: 'signed_in', client_id: null, client: null, grant_id: null, detail: null };
    await store.audit.appendEvent({ ...event, n: 1 });
    await store.audit.appendEvent({ ...event, n: 2 });
    await Promise.all([3, 4].map((n) => store.audit.appendEvent({ ...event, n })));
    const events = await store.audit.listEvents({}, { order: 'oldest' });
    expect(events.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    // Two that are written at the same time may come in either order.
    expect(events.map(({ n }) => n).slice(0, 2)).toEqual([1, 2]);
    expect(events.map(({ n }) => n).sort()).toEqual([1, 2, 3, 4]);
    expect(await store.audit.findLastEventId()).toBe(4);
  });
});
