import { describe, expect, it } from 'vitest';
import { type ActivityQuery, viewActivity, writeActivityCsv } from '../../src/views/activity/activity.ts';
import type { EventLine, ReadLine } from '../../src/views/activity/entries.ts';
import { createDiaryWorld } from '../support/diary-world.ts';
import { createPages } from '../support/servers/pages.ts';
import { useWorld } from '../support/use-world.ts';
import { NOW } from '../support/world.ts';

const world = await useWorld(createDiaryWorld());
const pages = createPages(world);
const at = (day: number, hour = 12) => new Date(Date.UTC(2026, 10, day, hour));
const { grantId, token } = await world.grant([{ connection_id: 'mine' }]);
const mine = grantId;
const { writeEvent } = pages;
await writeEvent({ kind: 'signed_in' }, at(1));
await writeEvent({ kind: 'approved', grantId, client: 'Test app' }, at(10, 9));
for (const day of [10, 11, 12]) {
  world.setNow(at(day));
  await world.call(token, 'search', { query: 'marker' });
  await world.call(world.both, 'query_records', {
    stream: 'entries',
    connection_id: '*',
    fields: ['title'],
  });
}
world.setNow(at(13));
await world.call(token, 'query_records', { stream: 'nothing' });
await writeEvent({ kind: 'revoked', grantId, client: 'Test app' }, at(14));
await pages.views.search({ query: 'marker' }, undefined);
await pages.views.search({ query: 'marker' }, mine);

const view = (query: ActivityQuery = {}) => viewActivity(world.store, query, NOW);
const name = (row: ReadLine | EventLine) =>
  `${row.at.slice(0, 10)} ${row.type === 'read' ? `${row.tool} ${row.outcome}` : row.kind}`;
const names = async (query: ActivityQuery) => (await view(query)).rows.map(name);

describe('viewActivity', () => {
  it('merges reads and events, newest first', async () => {
    expect(await names({})).toEqual([
      '2026-11-14 revoked',
      '2026-11-13 query_records unknown_stream',
      '2026-11-12 query_records ok',
      '2026-11-12 search ok',
      '2026-11-11 query_records ok',
      '2026-11-11 search ok',
      '2026-11-10 query_records ok',
      '2026-11-10 search ok',
      '2026-11-10 approved',
      '2026-11-01 signed_in',
    ]);
  });

  it('applies the filter', async () => {
    expect(await names({ app: mine, from: '2026-11-12' })).toEqual([
      '2026-11-14 revoked',
      '2026-11-13 query_records unknown_stream',
      '2026-11-12 search ok',
    ]);
    expect(await names({ tool: 'events' })).toEqual([
      '2026-11-14 revoked',
      '2026-11-10 approved',
      '2026-11-01 signed_in',
    ]);
    expect(await names({ connection: 'theirs', to: '2026-11-11' })).toEqual([
      '2026-11-11 query_records ok',
      '2026-11-10 query_records ok',
    ]);
    expect(await names({ outcome: 'refused' })).toEqual(['2026-11-13 query_records unknown_stream']);
    expect(await names({ tool: 'search', outcome: 'ok', from: '2026-11-11', to: '2026-11-11' })).toEqual([
      '2026-11-11 search ok',
    ]);
    expect(await names({ connection: 'min' })).toEqual([]);
  });

  it("lists the owner's own reads only when requested, including those viewed as an app", async () => {
    const { rows } = await view({ app: 'owner' });
    expect(rows.filter((row) => row.type === 'read')).toMatchObject([
      { client: 'owner', surface: 'dashboard', grant_id: null, tool: 'search' },
      { client: 'owner', surface: 'dashboard', grant_id: null, tool: 'search' },
    ]);
    expect(rows.filter((row) => row.type === 'event')).toMatchObject([{ kind: 'signed_in' }]);
    const stranger = await createDiaryWorld();
    const { writeEvent } = createPages(stranger);
    await writeEvent({ kind: 'refused_bearer' }, NOW);
    await writeEvent({ kind: 'sign_in_failed' }, NOW);
    expect((await viewActivity(stranger.store, { app: 'owner' }, NOW)).rows).toEqual([]);
    stranger.close();
  });

  it('counts filtered reads by day and app', async () => {
    const { plot } = await view({ from: '2026-11-10', to: '2026-11-13' });
    expect(plot).toMatchObject({
      interval: 'day',
      buckets: ['2026-11-10', '2026-11-11', '2026-11-12', '2026-11-13'],
      series: [{ name: 'Test app', values: [2, 2, 2, 1] }],
      totals: { reads: 7, refused: 1, records: 27 },
    });
    expect((await view()).plot.buckets).toHaveLength(30);
    expect((await view({ from: '2020-01-01' })).plot).toMatchObject({ interval: 'month' });
    expect((await view({ from: '1900-01-01' })).plot.buckets.length).toBeLessThanOrEqual(120);
    expect((await view({ from: '2026-11-14', to: '2026-11-12' })).rows).toEqual([]);
  });

  it('lists the filter choices', async () => {
    const { choices } = await view();
    expect(choices.connections).toEqual([
      { value: 'mine', label: 'My diary' },
      { value: 'theirs', label: 'Their diary' },
    ]);
    expect(choices.apps).toContainEqual({ value: mine, label: 'Test app (since 2026-11-16)' });
  });

  it('pages without gaps or repeats', async () => {
    const many = await createDiaryWorld();
    const log = createPages(many).writeEvent;
    const insert = many.store.audit.raw.prepare(
      "insert into audit (at, request_id, client, surface, tool, records, tokens_out, ms, outcome) values (?, ?, 'x', 'mcp', 'schema', 0, 0, 1, 'ok')",
    );
    for (let i = 0; i < 170; i += 1) {
      const at = new Date(NOW.getTime() + Math.floor(i / 4) * 1_000);
      insert.run(at.toISOString(), `req_${i}`);
      if (i % 3 === 0) await log({ kind: 'signed_in', detail: `event ${i}` }, at);
    }
    const seen: string[] = [];
    let before: string | undefined;
    do {
      const page = await viewActivity(many.store, { before }, NOW);
      seen.push(...page.rows.map((row) => `${row.type} ${row.id}`));
      expect(page.has_more).toBe(page.next_before !== null);
      before = page.next_before ?? undefined;
    } while (before !== undefined);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(170 + 57);
    many.close();
  });

  it.each([
    { from: 'yesterday' },
    { to: '2026-02-30' },
    { outcome: 'maybe' },
    { app: "x' or 1=1" },
    { tool: '<b>' },
  ])('refuses %j', async (query) => {
    await expect(view(query)).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  it.each(['x', '.', '1', '1.2.3', '-1.2'])('refuses before=%s', async (before) => {
    await expect(view({ before })).rejects.toMatchObject({ code: 'invalid_cursor' });
  });
});

describe('writeActivityCsv', () => {
  const write = async (query: ActivityQuery) => {
    let text = '';
    for await (const piece of writeActivityCsv(world.store, query)) text += piece;
    return text;
  };

  it('writes the rows that the page lists', async () => {
    const lines = (await write({})).split('\r\n');
    expect(lines[0]).toBe(
      'at,type,client,grant_id,surface,tool,connections,streams,fields,records,tokens_out,ms,outcome,request_id,kind,detail,times,touched,way',
    );
    expect(lines).toHaveLength(1 + (await view()).rows.length + 1);
    expect(lines.find((line) => line.includes('query_records') && line.includes(',ok,'))).toMatch(
      /^2026-11-12T12:00:00\.000Z,read,Test app,grant_\w+,mcp,query_records,mine theirs,entries,title,6,\d+,[\d.]+,ok,req_\w+,,,,,$/,
    );
    expect((await write({ tool: 'events' })).split('\r\n')).toHaveLength(1 + 3 + 1);
  });

  it('escapes formulas and line breaks', async () => {
    await pages.writeEvent(
      { kind: 'denied', client: '=HYPERLINK("https://evil.example","x")', detail: '@a,"b"\r\n-c' },
      NOW,
    );
    await pages.writeEvent({ kind: 'denied', client: '+1', detail: '-2' }, NOW);
    const text = await write({ tool: 'events', from: '2026-11-16' });
    expect(text).toContain(`,"'=HYPERLINK(""https://evil.example"",""x"")",`);
    expect(text).toContain(`"'@a,""b""\r\n-c",1,,\r\n`);
    expect(text).toContain(`,'+1,`);
    expect(text).toContain(`,'-2,1,,\r\n`);
  });

  it('refuses an invalid filter before the first line', () => {
    expect(() => writeActivityCsv(world.store, { from: 'x' })).toThrow(
      expect.objectContaining({ code: 'invalid_argument' }),
    );
  });
});
