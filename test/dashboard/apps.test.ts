import { describe, expect, it } from 'vitest';
import { createNotesWorld } from '../support/notes-source.ts';
import { createPageApp, createPages } from '../support/servers/pages.ts';
import { useWorld } from '../support/use-world.ts';
import { expectInert, SCRIPT, TURNED } from './hostile-pages.ts';

const world = await useWorld(createNotesWorld({ timeZone: 'Europe/Berlin' }));
const pages = createPageApp(world);

describe('/dashboard/apps', () => {
  it('L-04 shows who can read what, and how to end it', async () => {
    const { grantId, token } = await world.grant([{ connection_id: 'home', stream: 'notes' }]);
    await world.call(token, 'search', { query: 'ferry' });
    const { status, text } = await pages.get('/dashboard/apps');
    expect(status).toBe(200);
    expect(text).toContain(`<a href="/dashboard/apps/${grantId}">Test app</a>`);
    expect(text).toContain('Notes of home: notes · until revoked');
    expect(text).toContain(`action="/dashboard/apps/${grantId}/revoke"`);
    expect(text).toMatch(/>1 read<br ?\/?>\d+ records?</);
    expect(text).not.toMatch(/\btokens?\b/);
    expect(text).toContain('16 Nov 2026, 13:00');
  });

  it('returns the same data as JSON', async () => {
    const { text, headers } = await pages.get('/dashboard/apps.json');
    expect(headers.get('content-type')).toContain('application/json');
    expect(JSON.parse(text)).toMatchObject({ time_zone: 'Europe/Berlin', live: [{}, {}], ended: [] });
  });

  it('gives every form the CSRF value', async () => {
    const { text } = await pages.get('/dashboard/apps');
    const posts = text.match(/<form[^>]*method="post"/g)?.length;
    expect(text.match(/name="csrf" value="the-csrf-value"/g)).toHaveLength(posts as number);
  });

  it('returns to the list with a confirmation after revoking', async () => {
    const { grantId } = await world.grant([{ connection_id: 'home' }]);
    const answer = await pages.post(`/dashboard/apps/${grantId}/revoke`, { back: 'apps' });
    expect(answer).toEqual({ status: 303, location: `/dashboard/apps?done=${grantId}` });
    const { text } = await pages.get(`/dashboard/apps?done=${grantId}`);
    expect(text).toContain('<b>Test app</b> has lost access.');
    expect(text).toContain('revoked</span>');
  });

  it('ignores messages in the address', async () => {
    const { grantId } = await world.grant([{ connection_id: 'home' }]);
    for (const done of [grantId, SCRIPT, 'toString', 'Your account was closed']) {
      const { text } = await pages.get(`/dashboard/apps?done=${encodeURIComponent(done)}`);
      expect(text).not.toMatch(/can no longer read|account was closed/);
      expectInert(text);
    }
  });

  it('shows hostile names as text', async () => {
    const { grantId } = await world.grant([{ connection_id: 'home' }]);
    world.store.write.raw
      .prepare('update grants set client_name = ?, client_id = ?, verified_host = ? where grant_id = ?')
      .run(SCRIPT + TURNED, SCRIPT, SCRIPT, grantId);
    expectInert((await pages.get('/dashboard/apps')).text);
    await createPages(world).changes.revoke(grantId);
    expectInert((await pages.get('/dashboard/apps')).text);
    expectInert((await pages.get('/dashboard/activity')).text);
  });

  it('explains the next step when no app is connected', async () => {
    const empty = await createNotesWorld({ connections: ['home'] });
    empty.store.write.raw.exec('delete from tokens; delete from grants');
    const { text } = await createPageApp(empty).get('/dashboard/apps');
    expect(text).toContain('No connected apps');
    expect(text).toContain('href="/dashboard/connect"');
    empty.close();
  });
});
