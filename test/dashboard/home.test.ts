import { describe, expect, it } from 'vitest';
import { createEventLog } from '../../src/audit/events.ts';
import { loadCatalog } from '../../src/schema-index/catalog.ts';
import type { Overview } from '../../src/views/overview.ts';
import { readStored } from '../../src/views/overview.ts';
import { createNotesWorld, note } from '../support/notes-source.ts';
import { createOwnerBrowser } from '../support/oauth-client.ts';
import { useSignedInWorld } from '../support/use-world.ts';
import { createWorld, NOW, ORIGIN } from '../support/world.ts';

const { world, owner: browser } = await useSignedInWorld(
  createNotesWorld({ timeZone: 'Europe/Berlin', connections: ['home', 'work'] }),
);
await world.call(world.token, 'query_records', { stream: 'notes', connection_id: 'home', limit: 2 });
await world.call(world.token, 'query_records', { stream: 'nowhere' });

const readJson = async () => JSON.parse((await browser.open('/dashboard.json')).text) as Overview;

describe('the overview', () => {
  it('requires the owner', async () => {
    const page = await world.request('/dashboard', { headers: { accept: 'text/html' } });
    expect([page.status, page.headers.get('location')]).toEqual([303, '/login?return_to=%2Fdashboard']);
    expect((await world.request('/dashboard.json')).status).toBe(401);
  });

  it('summarizes stored data, apps and reads', async () => {
    const view = await readJson();
    expect(view.stored).toMatchObject({ records: 10, streams: 4, first: '2026-01-10', last: '2026-03-28' });
    expect(view.stored.connections.map(({ name, records }) => [name, records])).toEqual([
      ['Notes of home', 10],
      ['Notes of work', 0],
    ]);
    expect(view.apps.map(({ client, calls_30_days }) => [client, calls_30_days])).toEqual([['Test app', 2]]);
    expect(view.reads.days).toHaveLength(30);
    expect(view.reads.days.at(-1)).toBe('2026-11-16');
    expect(view.reads.series).toEqual([{ name: 'Test app', values: [...new Array(29).fill(0), 2] }]);
    expect(view.last_reads.map(({ tool, outcome, records }) => [tool, outcome, records])).toEqual([
      ['query_records', 'unknown_stream', 0],
      ['query_records', 'ok', 2],
    ]);
    expect(view.mcp_url).toBe(`${ORIGIN}/mcp`);
  });

  it('shows all of it on the page', async () => {
    const { text, headers } = await browser.open('/dashboard');
    for (const said of [
      '<h1>Overview</h1>',
      'Notes of home',
      'Test app',
      'Reads per day',
      'Test app read 2 Notes of home notes.',
      'Refused',
      '10 Jan 2026 to 28 Mar 2026',
    ])
      expect(text).toContain(said);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(text).not.toMatch(/\sstyle=|<script>|undefined|NaN|\[object/);
  });

  it('counts every repetition of a repeated read', async () => {
    for (let i = 0; i < 30; i += 1) await world.call(world.token, 'schema');
    const { text } = await browser.open('/dashboard');
    expect(text.replace(/<[^>]+>/g, '')).toContain('Test app listed the available data, 30 times.');
  });

  it('differs from the data page, and its bars link to details', async () => {
    const { text } = await browser.open('/dashboard');
    expect(text).not.toContain('Records per month');
    expect((await browser.open('/dashboard/data')).text).toContain('Records per month');
    expect(text).toContain('<a href="/dashboard/activity?from=2026-11-16&amp;to=2026-11-16"');
    expect(text).toContain('<a href="/dashboard/connections/home">Notes of home</a>');
  });

  it('uses one date format, and totals agree or explain the difference', async () => {
    const shown = (html: string) => html.replace(/<[^>]+>/g, ' ');
    for (const path of ['/dashboard', '/dashboard/activity?from=2026-11-01', '/dashboard/data'])
      expect([path, shown((await browser.open(path)).text).match(/\d{4}-\d\d-\d\d/g)]).toEqual([path, null]);
    const data = shown((await browser.open('/dashboard/data')).text);
    expect(data).toMatch(/10 records in 4 streams/);
    expect(data).toMatch(/6 records, .*; 4 more have no date/);
  });

  it('is linked from error pages', async () => {
    for (const path of ['/r/home/notes/nothing', '/dashboard/apps/nobody', '/nowhere'])
      expect((await browser.open(path)).text).toContain('<a class="button" href="/dashboard"');
  });

  it('never holds the content of a record', async () => {
    const text = `${(await browser.open('/dashboard')).text}${(await browser.open('/dashboard.json')).text}`;
    for (const secret of ['Lisbon', 'ferry', 'under the mat']) expect(text).not.toContain(secret);
  });

  it('L-04 shows an alarm on every page until the owner has seen it', async () => {
    const writeEvent = createEventLog(world.store.audit);
    await writeEvent({ kind: 'refresh_replayed', client: 'Codex', grantId: 'grant_1' }, NOW);
    const page = await browser.open('/dashboard');
    expect(page.text).toContain('Codex: An old refresh token was used again; the access was ended.');
    expect((await browser.open('/dashboard/connect')).text).toContain('Dismiss');
    const after = await browser.submit(page);
    expect(after.url).toBe(`${ORIGIN}/dashboard`);
    expect(after.text).not.toContain('Dismiss');
    await writeEvent({ kind: 'code_replayed', client: 'Codex' }, NOW);
    expect((await browser.open('/dashboard')).text).toContain('An authorization code was used twice');
  });
});

describe('the overview of an empty server', () => {
  it('explains the next step', async () => {
    const empty = await createWorld();
    const owner = await createOwnerBrowser(empty);
    const { text } = await owner.open('/dashboard');
    for (const said of [
      'action="/dashboard/imports"',
      '/dashboard/data/formats',
      'pdpp demo',
      'No connected apps',
      `${ORIGIN}/mcp`,
      '/dashboard/connect',
    ])
      expect(text).toContain(said);
    empty.close();
  });
});

describe('the counts of stored data', () => {
  it('follow changes of stored data', async () => {
    const other = await createNotesWorld();
    const count = async () =>
      (await readStored(other.store.read, await loadCatalog(other.store.read), NOW)).records;
    const before = await count();
    await other.ingest('home', 'notes', [note('n9')]);
    expect(await count()).toBe(before + 1);
    other.close();
  });

  it('are computed without reading records', async () => {
    const other = await createNotesWorld();
    const read = async (now: Date) => readStored(other.store.read, await loadCatalog(other.store.read), now);
    const before = await read(NOW);
    for (const table of ['facets', 'records']) other.store.write.raw.exec(`delete from ${table}`);
    const tomorrow = new Date(NOW.getTime() + 86_400_000);
    expect(await read(tomorrow)).toEqual(before);
    other.close();
  });
});
