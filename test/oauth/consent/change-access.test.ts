import { describe, expect, it } from 'vitest';
import { changeTerms } from '../../../src/grants/change-grant.ts';
import { checkConnections, getGrant, revokeGrant } from '../../../src/grants/grant-store.ts';
import { resolveGrant } from '../../../src/grants/resolve-grant.ts';
import { removeConnections } from '../../../src/import/remove-connection.ts';
import { loadCatalog } from '../../../src/schema-index/catalog.ts';
import type { Page } from '../../support/browser.ts';
import { diarySource, entry } from '../../support/diary-source.ts';
import { useSignedInWorld } from '../../support/use-world.ts';
import { readConsentForm, tick } from './consent-form.ts';

const { world, owner, client } = await useSignedInWorld();

const ENTRIES = 'My diary/entries';
const THEIRS = 'Their diary/entries';
const path = (grantId: string) => `/dashboard/apps/${grantId}/access`;
const open = (grantId: string) => owner.open(path(grantId));
const newGrant = (fields = ['title', 'created_at']) =>
  world.grant([{ connection_id: 'mine', stream: 'entries', fields }]);
const text = ({ text }: Page, id: string) => new RegExp(`id="${id}"[^>]*>([^<]*)<`).exec(text)?.[1];
const ticked = (page: Page) =>
  readConsentForm(page).flatMap(({ connection, label, ticked: on, fields }) =>
    on ? [[`${connection}/${label}`, ...fields.filter((one) => one.ticked).map(({ name }) => name)]] : [],
  );
const save = (page: Page, change: Record<string, string | readonly string[] | null> = {}) =>
  owner.submit(page, { decision: 'approve', ...change });
const titles = async (token: string, connection_id: string) => {
  const { isError, structuredContent } = await world.call(token, 'query_records', {
    stream: 'entries',
    connection_id,
  });
  return isError ? structuredContent.error.code : structuredContent.data.length;
};
const activity = async () => (await owner.open('/dashboard/activity')).text;

describe('the page that changes the access of an app', () => {
  it('starts with the current access, and saving it unchanged changes nothing', async () => {
    const { grantId } = await newGrant();
    const page = await open(grantId);
    expect(ticked(page)).toEqual([[ENTRIES, 'id', 'title', 'created_at']]);
    expect([text(page, 'change'), text(page, 'summary')]).toEqual([
      'Nothing changed',
      expect.stringMatching(/^My diary \(entries\) without .*; all time; until revoked$/),
    ]);
    const before = await getGrant(world.store.read, grantId);
    expect((await save(page)).url).toMatch(/\?done=access$/);
    const after = await getGrant(world.store.read, grantId);
    expect([after.streams, after.expiresAt]).toEqual([before.streams, before.expiresAt]);
  });

  it('adds a connection, a field and a period, and tokens keep working', async () => {
    const { access_token, refresh_token } = await client.connect(owner, {
      ...tick(await owner.open(client.startUrl().url), { [ENTRIES]: ['title'] }),
    });
    expect(await titles(access_token, 'theirs')).toBe('unknown_connection');
    const grantId = (await owner.open('/dashboard/apps')).text.match(/grant_\w{16}/)?.[0] as string;
    const page = await open(grantId);
    const wider = tick(page, { [ENTRIES]: ['title', 'body'], [THEIRS]: ['title'] });
    const look = await owner.submit(page, { preset: 'preview', ...wider });
    expect(text(look, 'change')).toBe('Added Their diary (entries); added body of entries in My diary');
    expect(await titles(access_token, 'theirs')).toBe('unknown_connection');
    await save(page, { ...wider, expires: '1m' });
    expect(await titles(access_token, 'theirs')).toBe(3);
    const fresh = (await (await client.refresh(refresh_token)).json()) as { access_token: string };
    expect(await titles(fresh.access_token, 'theirs')).toBe(3);
    expect(await activity()).toContain('Added Their diary (entries); added body of entries in My diary');
    expect((await owner.open(`/dashboard/apps/${grantId}`)).text).toContain(
      'You changed what the app may read',
    );
  });

  it('removes access from the next request on', async () => {
    const { grantId, token } = await world.grant([{ connection_id: 'mine' }, { connection_id: 'theirs' }]);
    expect(await titles(token, 'theirs')).toBe(3);
    const page = await open(grantId);
    await save(page, tick(page, { [ENTRIES]: ['title', 'created_at'] }));
    expect(await titles(token, 'theirs')).toBe('unknown_connection');
    const { structuredContent } = await world.call(token, 'query_records', { stream: 'entries' });
    expect(JSON.stringify(structuredContent.data)).not.toContain('marker-mine');
    expect(await activity()).toMatch(
      /Removed My diary \(members\); removed Their diary \(entries, members\); removed body, /,
    );
  });

  it('adds a removed connection again', async () => {
    const { grantId, token } = await newGrant();
    const apps = await owner.open(`/dashboard/apps/${grantId}`);
    const csrf = /name="csrf" value="([^"]+)"/.exec(apps.text)?.[1] as string;
    const body = new URLSearchParams({ csrf, connection_id: 'mine' }).toString();
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      origin: new URL(apps.url).origin,
      'sec-fetch-site': 'same-origin',
    };
    await owner.send(`/dashboard/apps/${grantId}/end-connection`, { method: 'POST', body, headers });
    expect(await titles(token, 'mine')).toBe('unknown_stream');
    const page = await open(grantId);
    expect(ticked(page)).toEqual([]);
    await save(page, tick(page, { [ENTRIES]: ['title'] }));
    expect(await titles(token, 'mine')).toBe(3);
    expect((await getGrant(world.store.read, grantId)).endedConnections).toEqual([]);
  });

  it('keeps periods per stream, and gives a new stream the common period', async () => {
    const since = Date.parse('2026-02-01');
    const { grantId, token } = await world.grant([{ connection_id: 'mine', stream: 'entries' }], { since });
    const page = await open(grantId);
    expect(page.text).toContain('As now: from 1 Feb 2026');
    const both = tick(page, { [ENTRIES]: ['title', 'created_at'], [THEIRS]: ['title', 'created_at'] });
    await save(page, both);
    expect([await titles(token, 'mine'), await titles(token, 'theirs')]).toEqual([2, 2]);
    const again = await open(grantId);
    await save(again, { ...both, window: 'all' });
    expect([await titles(token, 'mine'), await titles(token, 'theirs')]).toEqual([3, 3]);
  });

  it('preselects a connection that the owner came to add, without saving', async () => {
    const { grantId, token } = await newGrant();
    const page = await owner.open(`${path(grantId)}?add=theirs`);
    expect(ticked(page).map(([name]) => name)).toEqual([ENTRIES, THEIRS, 'Their diary/members']);
    expect(page.text).toContain('Nothing changes until you save.');
    expect(await titles(token, 'theirs')).toBe('unknown_connection');
    await save(page);
    expect(await titles(token, 'theirs')).toBe(3);
    expect(ticked(await owner.open(`${path(grantId)}?add=nothing`))).toEqual(ticked(await open(grantId)));
  });
});

describe('cursors from before a change', () => {
  it('are refused as invalid, so that no newly visible record is skipped', async () => {
    const { grantId, token } = await newGrant();
    const ask = { stream: 'entries', limit: 1, sort: 'created_at' };
    const first = (await world.call(token, 'query_records', ask)).structuredContent;
    const changes = (
      await world.call(token, 'query_records', { stream: 'entries', changes_since: 'beginning' })
    ).structuredContent;
    const page = await open(grantId);
    await save(page, tick(page, { [ENTRIES]: ['title', 'created_at', 'body'] }));
    const calls = [
      { ...ask, cursor: first.next_cursor },
      { stream: 'entries', changes_since: changes.next_changes_since },
    ];
    for (const args of calls) {
      const { structuredContent } = await world.call(token, 'query_records', args);
      expect(structuredContent.error?.code).toBe('invalid_cursor');
    }
  });
});

describe('a form that is not saved', () => {
  const stale = async (change: (grantId: string) => Promise<unknown>) => {
    const { grantId, token } = await newGrant();
    const page = await open(grantId);
    const wanted = tick(page, { [THEIRS]: ['title'] });
    await change(grantId);
    return { done: await save(page, wanted), token, grantId };
  };

  it('names an access that changed meanwhile: the page returns as sent', async () => {
    const { done, token } = await stale(async (grantId) => {
      const other = await open(grantId);
      await save(other, tick(other, { [ENTRIES]: ['body'] }));
    });
    expect([done.status, ticked(done).map(([name]) => name)]).toEqual([409, [THEIRS]]);
    expect(done.text).toContain('nothing was saved');
    expect(await titles(token, 'theirs')).toBe('unknown_connection');
  });

  it('names an access that has ended: it stays ended', async () => {
    const { done, token } = await stale((grantId) => revokeGrant(world.store.write, grantId, new Date()));
    expect(done.status).toBe(403);
    expect((await world.rpc(token, 'tools/list')).status).toBe(401);
    expect((await owner.open(path('grant_0'))).status).toBe(404);
  });

  it('has a mistake: the page returns as sent and never wider', async () => {
    const { grantId, token } = await newGrant();
    const page = await open(grantId);
    const days = { window: 'custom', since: '2026-03-01', until: '2026-01-01', expires: '1d' };
    const sent = { ...tick(page, { [THEIRS]: ['title'] }), ...days };
    const back = await save(page, sent);
    expect([back.status, ticked(back)]).toEqual([400, [[THEIRS, 'id', 'title']]]);
    for (const day of ['2026-03-01', '2026-01-01']) expect(back.text).toContain(`value="${day}"`);
    expect(back.text).toContain('Not saved.');
    const none = await save(page, { stream: null });
    expect([none.status, ticked(none)]).toEqual([400, []]);
    expect(await titles(token, 'theirs')).toBe('unknown_connection');
  });

  it('names data that the page did not show', async () => {
    const { grantId } = await newGrant();
    const page = await open(grantId);
    const before = await getGrant(world.store.read, grantId);
    await save(page, { stream: ['0', '99'], field: ['0.title', '0.created_at', '0.secret', '99.body'] });
    expect((await getGrant(world.store.read, grantId)).streams).toEqual(before.streams);
  });

  it('is the second of two concurrent forms', async () => {
    const { grantId } = await newGrant();
    const page = await open(grantId);
    const results = await Promise.all([
      save(page, tick(page, { [ENTRIES]: ['body'] })),
      save(page, tick(page, { [THEIRS]: ['body'] })),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await getGrant(world.store.read, grantId)).streams).toHaveLength(1);
  });
});

describe('a connection that is removed while the owner decides', () => {
  const removed = async () => {
    await world.addSource(diarySource, { spare: 'Spare diary' });
    await world.ingest('spare', 'entries', [entry('one', { title: 'spare one' })]);
    const { grantId } = await newGrant();
    const grant = await getGrant(world.store.read, grantId);
    const { streams } = resolveGrant(await loadCatalog(world.store.read), [{ connection_id: 'spare' }]);
    await removeConnections(world.store, ['spare'], new Date());
    return { grant, streams };
  };

  it('is part of no access, so that a new connection with the same id is not read', async () => {
    const { grant, streams } = await removed();
    const change = changeTerms(
      world.store.write,
      grant,
      { streams, expiresAt: undefined },
      new Date(),
      async () => {},
    );
    await expect(change).rejects.toMatchObject({ code: 'conflict' });
    await expect(checkConnections(world.store.write, streams)).rejects.toMatchObject({ code: 'conflict' });
    expect((await getGrant(world.store.read, grant.grantId)).streams).toEqual(grant.streams);
  });
});

describe('an app with authorization_details', () => {
  it('receives its new rights when it renews its token', async () => {
    const details = [
      {
        type: 'https://pdpp.dev/data-access',
        source: { id: 'https://sources.example/diary' },
        streams: [{ name: 'entries', instance_ids: ['mine'], fields: ['title'] }],
      },
    ];
    const change = { authorization_details: JSON.stringify(details) };
    const { refresh_token } = await client.connect(owner, {}, change);
    const ids = (await owner.open('/dashboard/apps')).text.match(/grant_\w{16}/g) as string[];
    const grants = await Promise.all([...new Set(ids)].map((id) => getGrant(world.store.read, id)));
    const { grantId } = grants.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))[0] as {
      grantId: string;
    };
    const page = await open(grantId);
    await save(page, tick(page, { [ENTRIES]: ['title', 'body'], [THEIRS]: ['title'] }));
    const answer = (await (await client.refresh(refresh_token)).json()) as {
      authorization_details: { streams: { instance_ids: string[]; fields: string[] }[] }[];
    };
    expect(answer.authorization_details[0]?.streams).toMatchObject([
      { instance_ids: ['mine'], fields: ['id', 'title', 'body'] },
      { instance_ids: ['theirs'], fields: ['id', 'title'] },
    ]);
  });
});
