import { describe, expect, it } from 'vitest';
import { createDiaryWorld } from '../support/diary-world.ts';
import { createPageApp, createPages } from '../support/servers/pages.ts';
import { useWorld } from '../support/use-world.ts';
import { NOW } from '../support/world.ts';
import { expectInert, SCRIPT, TURNED } from './hostile-pages.ts';

const world = await useWorld(createDiaryWorld());
const pages = createPageApp(world);
for (let i = 0; i < 110; i += 1) await world.call(world.mine, 'schema');
await world.call(world.mine, 'search', { query: 'marker-mine zeisig' });
await createPages(world).writeEvent({ kind: 'signed_in' }, NOW);

describe('/dashboard/activity', () => {
  it('shows reads and events with their request ids, and no words of a query', async () => {
    const { status, text } = await pages.get('/dashboard/activity');
    expect(status).toBe(200);
    expect(text).toContain('You signed in.');
    expect(text).toMatch(/req_\w{16}/);
    expect(text).toContain('Reads per day');
    expect(text).not.toContain('zeisig');
  });

  it('describes reads in sentences and folds ids and numbers', async () => {
    const place = { stream: 'entries', connection_id: 'mine' };
    await world.call(world.mine, 'aggregate', { ...place, group_by: ['done'] });
    await world.call(world.mine, 'query_records', { ...place, limit: 2 });
    await world.call(world.mine, 'query_records', { stream: 'nothing' });
    await world.call(world.mine, 'query_records', { ...place, limit: 'two' });
    const { text } = await pages.get('/dashboard/activity');
    const told = [...text.matchAll(/<summary[^>]*>(.*?)<\/summary>/gs)].map(([, html]) =>
      (html as string).replace(/<[^>]+>/g, '').trim(),
    );
    expect(told.slice(2, 6)).toEqual([
      'Test app tried to read. Invalid request',
      'Test app asked for something that does not exist or that it cannot read. Refused',
      'Test app read 2 My diary entries.',
      'Test app counted 3 My diary entries by done.',
    ]);
    expect(text).toMatch(/<dt>Records scanned<\/dt><dd>3<\/dd>/);
    expect(text).not.toMatch(/<(td|th|p|summary)[^>]*>[^<]*req_/);
  });

  it('groups repeated reads and lists each request in the fold', async () => {
    const { text } = await pages.get('/dashboard/activity?tool=schema');
    const told = text.match(/<li>.*?<\/li>/gs)?.filter((one) => one.includes('listed the available data'));
    expect(told).toHaveLength(1);
    expect(told?.[0]?.replace(/<[^>]+>/g, '')).toContain('Test app listed the available data, 110 times.');
    expect(new Set(told?.[0]?.match(/req_\w{16}/g))).toHaveLength(110);
    expect(text).not.toContain('before=');
  });

  it('names in one sentence who ended an access', async () => {
    await createPages(world).writeEvent({ kind: 'revoked', client: 'Helper', detail: 'by the app' }, NOW);
    await createPages(world).writeEvent({ kind: 'signed_in', detail: 'on the command line' }, NOW);
    const { text } = await pages.get('/dashboard/activity?tool=events');
    expect(text).toContain('The app ended its own access.');
    expect(text).toContain('You signed in on the command line.');
    expect(text).not.toMatch(/\. <span[^>]*>by the app/);
  });

  it('links to older rows with the same filter', async () => {
    // What differs is told one by one: of two that take turns a page holds as many as it has sentences.
    for (let i = 0; i < 20; i += 1) {
      await world.call(world.mine, 'schema');
      await world.call(world.mine, 'schema', { stream: 'entries', connection_id: 'mine' });
    }
    const { text } = await pages.get('/dashboard/activity?tool=schema&app=&from=');
    expect(text.match(/req_\w{16}/g)).toHaveLength(15);
    const next = /href="(\/dashboard\/activity\?[^"]*before=[^"]*)"/
      .exec(text)?.[1]
      ?.replaceAll('&amp;', '&');
    expect(next).toMatch(/^\/dashboard\/activity\?tool=schema&before=\d+\.$/);
    const older = await pages.get(next as string);
    expect(older.text.match(/req_\w{16}/g)).toHaveLength(15);
  });

  it('returns JSON and CSV with the same filter', async () => {
    const { rows } = JSON.parse((await pages.get('/dashboard/activity.json?tool=search')).text);
    expect(rows).toHaveLength(1);
    const csv = await pages.get('/dashboard/activity.csv?tool=search');
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.headers.get('content-disposition')).toContain('attachment');
    expect(csv.text.trim().split('\r\n')).toHaveLength(2);
    expect((await pages.get('/dashboard/activity.csv')).text.trim().split('\r\n')).toHaveLength(1 + 158);
  });

  it('names the app in its own actions and in actions on it', async () => {
    const { writeEvent } = createPages(world);
    for (const kind of ['token_issued', 'approved'] as const)
      await writeEvent({ kind, client: 'Helper (new)', grantId: 'grant_x' }, NOW);
    const { text } = await pages.get('/dashboard/activity?tool=events&app=grant_x');
    const told = [...text.matchAll(/<li><time.*?<\/time>(.*?)<\/li>/gs)].map(([, html = '']) =>
      html
        .replace(/<[^>]+>/g, '')
        .replace(/\s+/g, ' ')
        .trim(),
    );
    expect(told).toEqual(['You approved access for Helper (new).', 'Helper (new) was connected.']);
  });

  it('names the source address in the same sentence', async () => {
    const { writeEvent } = createPages(world);
    await writeEvent({ kind: 'document_fetched', detail: 'app.example' }, NOW);
    await writeEvent({ kind: 'refused_bearer', detail: 'from this computer' }, NOW);
    const { text } = await pages.get('/dashboard/activity?tool=events');
    expect(text).toContain('The metadata of an app was fetched from app.example.');
    expect(text).toContain('A request with an invalid or expired token was refused, from this computer.');
  });

  it('refuses an invalid filter', async () => {
    for (const path of ['/dashboard/activity', '/dashboard/activity.json', '/dashboard/activity.csv'])
      expect((await pages.get(`${path}?from=${encodeURIComponent(SCRIPT)}`)).status).toBe(400);
  });

  it('shows hostile names as text', async () => {
    await createPages(world).writeEvent(
      { kind: 'registered', client: SCRIPT + TURNED, clientId: SCRIPT, detail: SCRIPT },
      NOW,
    );
    world.store.audit.raw
      .prepare("update audit set client = ?, fields = ? where tool = 'search'")
      .run(SCRIPT + TURNED, SCRIPT);
    expectInert((await pages.get('/dashboard/activity')).text);
  });

  it('shows a message when there is no activity', async () => {
    expect((await pages.get('/dashboard/activity?to=2020-01-01')).text).toContain(
      'No activity matches this filter.',
    );
  });
});
