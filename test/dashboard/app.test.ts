import { describe, expect, it } from 'vitest';
import { getGrant } from '../../src/grants/grant-store.ts';
import { createNotesWorld } from '../support/notes-source.ts';
import { createPageApp, createPages } from '../support/servers/pages.ts';
import { useWorld } from '../support/use-world.ts';
import { expectInert, SCRIPT, TURNED } from './hostile-pages.ts';

const world = await useWorld(createNotesWorld({ connections: ['home', 'work'] }));
const pages = createPageApp(world);
const { grantId, token } = await world.grant([
  { connection_id: 'home', stream: 'notes', fields: ['title', 'author'] },
  { connection_id: 'work' },
]);

const path = () => `/dashboard/apps/${grantId}`;

describe('/dashboard/apps/{id}', () => {
  it('shows access, use, and the forms to change it', async () => {
    await world.call(token, 'query_records', { stream: 'notes', connection_id: 'home', limit: 2 });
    const { text } = await pages.get(path());
    expect(text).toContain('4 of 13 fields');
    expect(text).toMatch(/Not shared: .*secret/);
    // In words, and in numbers that an owner can picture; what a model pays for is behind the fold.
    expect(text).toMatch(/>ID, title, author, created</);
    expect(text).toContain('<b>1</b> <span>read in 30 days</span>');
    expect(text).toContain('<b>2</b> <span>records returned in 30 days</span>');
    const [open = '', technical] = text.split('Technical details');
    expect(open.replace(/<details>[\s\S]*?<\/details>/g, '')).not.toMatch(/\btokens?\b/i);
    expect(technical).toMatch(/about \d+ tokens/);
    expect(text).toContain('query_records');
    expect(text).toMatch(/req_\w{16}/);
    for (const action of ['revoke', 'expiry', 'end-connection'])
      expect(text).toContain(`action="${path()}/${action}"`);
    expect(text).toContain(`href="/dashboard/data?as=${grantId}"`);
    expect(text).toContain('already read is not deleted');
    expect(text).not.toContain('Lisbon');
  });

  it('lists the events of the app', async () => {
    await createPages(world).writeEvent({ kind: 'token_issued', client: 'Test app', grantId }, new Date());
    const { text } = await pages.get(path());
    expect(text).toContain('It was connected.');
    expect(text).not.toContain('An app was');
  });

  it('returns the same data as JSON', async () => {
    expect(JSON.parse((await pages.get(`${path()}.json`)).text)).toMatchObject({
      grant_id: grantId,
      client: 'Test app',
      reads: [{ tool: 'query_records' }],
    });
  });

  it('changes the expiry', async () => {
    expect(await pages.post(`${path()}/expiry`, { expires: '1w' })).toEqual({
      status: 303,
      location: `${path()}?done=expiry`,
    });
    expect((await getGrant(world.store.read, grantId)).expiresAt).toBe('2026-11-23T12:00:00.000Z');
    expect((await pages.get(`${path()}?done=expiry`)).text).toContain('Expiry updated');
    await pages.post(`${path()}/expiry`, { expires: '2026-12-24' });
    expect((await pages.get(path())).text).toContain('25 Dec 2026, 00:00');
    expect((await pages.post(`${path()}/expiry`, { expires: 'tomorrow' })).status).toBe(400);
    expect((await pages.post(`${path()}/expiry`, {})).status).toBe(400);
  });

  it('removes a connection', async () => {
    const answer = await pages.post(`${path()}/end-connection`, { connection_id: 'work' });
    expect(answer).toEqual({ status: 303, location: `${path()}?done=connection` });
    const { text } = await pages.get(path());
    expect(text).toContain('Removed by you: Notes of work');
    expect(text).toContain('You removed Notes of work from the access.');
    expect((await pages.post(`${path()}/end-connection`, { connection_id: 'work' })).status).toBe(404);
  });

  it('revokes access and then offers no forms', async () => {
    expect(await pages.post(`${path()}/revoke`, {})).toEqual({
      status: 303,
      location: path(),
    });
    expect((await world.rpc(token, 'tools/list')).status).toBe(401);
    const { text } = await pages.get(`${path()}?done=expiry`);
    expect(text).not.toContain('Expiry updated');
    expect(text).toContain('You revoked this access');
    expect(text).not.toMatch(/class="lead"[^<]*until/);
    expect(text).not.toContain(`action="${path()}`);
  });

  it('refuses unknown ids', async () => {
    for (const id of ['grant_0', '..', 'x.json', '%00'])
      expect((await pages.get(`/dashboard/apps/${id}`)).status).toBe(404);
    // In the words of the pages, not of the command line.
    const { text } = await pages.get('/dashboard/apps/grant_0');
    expect(text).toContain('There is no such app.');
    expect(text).not.toMatch(/grant with|pdpp grant/);
    expect((await pages.post('/dashboard/apps/grant_0/revoke', {})).status).toBe(404);
  });

  it('shows hostile text as text', async () => {
    const hostile = await world.grant([{ connection_id: 'home' }]);
    world.store.write.raw
      .prepare(
        'update grants set client_name = ?, body = json_set(body, ?, ?), redirect_host = ? where grant_id = ?',
      )
      .run(SCRIPT, '$.purpose', SCRIPT + TURNED, TURNED, hostile.grantId);
    await createPages(world).writeEvent(
      { kind: 'approved', grantId: hostile.grantId, client: SCRIPT, detail: SCRIPT + TURNED },
      new Date(),
    );
    const { text } = await pages.get(`/dashboard/apps/${hostile.grantId}`);
    expect(text).toContain('&lt;script&gt;');
    expectInert(text);
  });
});
