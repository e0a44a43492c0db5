import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createAccessFinder } from '../../../src/grants/grant.ts';
import { createToken, hashToken } from '../../../src/secrets/token.ts';
import { openStore } from '../../../src/store/sqlite/open-store.ts';
import { OAuthClient } from '../../support/oauth-client.ts';
import { createOldStore, type OldHandles, unpackOldStore } from '../../support/stores/old-store.ts';
import { makeFolder } from '../../support/temp-folder.ts';
import { createWorld, type World } from '../../support/world.ts';

describe('a store of the first version', () => {
  it('is upgraded, and its grants and tokens keep working', async () => {
    const directory = join(makeFolder(), 'first');
    const token = createToken();
    createOldStore(directory, 1, (store) => {
      const body = JSON.stringify({
        version: '0.1.0',
        streams: [{ connection_id: 'a', stream: 's', fields: ['id'] }],
      });
      store
        .prepare('insert into grants values (?, ?, ?, ?, ?, ?)')
        .run('grant_1', 'Old app', '2026-01-01T00:00:00.000Z', null, null, body);
      store
        .prepare('insert into tokens values (?, ?, ?, ?, ?)')
        .run(hashToken(token), 'client', 'grant_1', '2026-01-01T00:00:00.000Z', null);
    });
    const store = await openStore(directory);
    const access = await createAccessFinder(store.read, 'http://127.0.0.1:7733/mcp')(token, new Date());
    expect(access).toMatchObject({ kind: 'client', grant: { clientName: 'Old app', endedConnections: [] } });
    store.close();
  });
});

describe('an upgrade of the text index', () => {
  it('rebuilds it from the stored records, with the dictionary of spellings', async () => {
    const directory = join(makeFolder(), 'old');
    createOldStore(directory, 2, (store) => {
      const add = store.prepare('insert into records values (?, 1, ?, 0, 0, 1, ?)');
      store.exec(
        `insert into sources values ('s', '{}', '1', ''); insert into connections values ('c', 's', 'C', '')`,
      );
      store
        .prepare('insert into streams values (1, ?, ?, ?)')
        .run('c', 'notes', JSON.stringify({ slots: {}, texts: { title: 1, tags: 0 } }));
      for (const [at, title] of ['दिन', 'Zürich', 'שָׁלוֹם', 'lighthouse'].entries())
        add.run(100 - at, `k${at}`, JSON.stringify({ title, tags: ['red', 'blue'], other: 'hidden' }));
      add.run(1, 'none', JSON.stringify({ other: 'hidden' }));
    });
    const { read, write, close } = await openStore(directory);
    const find = write.raw.prepare('select rowid from texts where texts match ? order by rowid').pluck();
    expect(find.all('"दिन"')).toEqual([100]);
    expect(find.all('"दान"')).toEqual([]);
    expect(find.all('"zurich"')).toEqual([99]);
    expect(find.all('"שלום"')).toEqual([98]);
    expect(find.all('{c0} : "red blue"')).toEqual([97, 98, 99, 100]);
    expect(find.all('"hidden"')).toEqual([]);
    expect((await read.stored.words(0, 100)).words.sort()).toEqual(
      ['blue', 'lighthouse', 'red', 'zurich', 'दिन', 'שלום'].sort(),
    );
    close();
  });
});

describe('a store written by pdpp 0.1.0', () => {
  afterEach(() => vi.useRealTimers());

  /** Ten minutes after the old program was stopped. */
  async function openOld(): Promise<{ world: World; handles: OldHandles }> {
    const { directory, handles } = unpackOldStore();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(handles.at) + 600_000 });
    const world = await createWorld({ directory, clock: 'real', timeZone: 'Europe/Berlin' });
    return { world, handles };
  }
  const idsOf = (rows: { id: string }[]) => rows.map((row) => row.id);

  it('keeps working for every valid token, and for no revoked one', async () => {
    const { world, handles } = await openOld();
    const { grants, oauth, owner_token } = handles;
    const tokens = [grants.command_line.token, grants.windowed.token, oauth.access_token];
    for (const token of tokens) expect((await world.call(token, 'schema')).isError).toBeUndefined();
    expect((await world.rpc(grants.ended.token, 'tools/list')).status).toBe(401);
    const asOwner = await world.request('/v1/schema', {
      headers: { authorization: `Bearer ${owner_token}` },
    });
    expect(asOwner.status).toBe(200);
    const refreshed = await new OAuthClient(world, oauth.client_id).refresh(oauth.refresh_token);
    expect(refreshed.status).toBe(200);
    const { access_token } = (await refreshed.json()) as { access_token: string };
    expect((await world.call(access_token, 'schema')).isError).toBeUndefined();
    const cookie = Object.entries(handles.session_cookies).map(
      ([name, value]) => `${name.split(' ')[0]}=${value}`,
    );
    const page = await world.request('/dashboard', { headers: { cookie: cookie.join('; ') } });
    expect(page.status).toBe(200);
    world.close();
  });

  it('accepts the cursors of the last hour', async () => {
    const { world, handles } = await openOld();
    const { token } = handles.grants.command_line;
    for (const [tool, rows] of [
      ['query_records', 'data'],
      ['search', 'results'],
    ] as const) {
      const { arguments: args, ids, next_cursor } = handles[tool === 'search' ? 'search' : 'query'];
      const first = (await world.call(token, tool, args)).structuredContent;
      expect(idsOf(first[rows])).toEqual(ids);
      const byOld = (await world.call(token, tool, { ...args, cursor: next_cursor })).structuredContent;
      const byNew = (await world.call(token, tool, { ...args, cursor: first.next_cursor })).structuredContent;
      expect(idsOf(byOld[rows])).toEqual(idsOf(byNew[rows]));
      expect(byOld[rows].length).toBeGreaterThan(0);
    }
    const changed = await world.call(token, 'query_records', {
      stream: 'notes',
      changes_since: handles.changes_since,
    });
    expect(changed.structuredContent.data).toMatchObject([
      { id: 'home/notes/en', record: { title: 'Lisbon trip, changed' } },
      { id: 'home/notes/many-39', removed: true },
    ]);
    world.close();
  });
});
