import { describe, expect, it } from 'vitest';
import { createGrant } from '../../src/grants/grant-store.ts';
import { resolveGrant } from '../../src/grants/resolve-grant.ts';
import { loadCatalog } from '../../src/schema-index/catalog.ts';
import { viewApp } from '../../src/views/app.ts';
import { recogniseKind, viewApps } from '../../src/views/apps.ts';
import { createNotesWorld } from '../support/notes-source.ts';
import { createPages } from '../support/servers/pages.ts';
import { useWorld } from '../support/use-world.ts';
import { NOW } from '../support/world.ts';

const DAY = 86_400_000;
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY);

const world = await useWorld(createNotesWorld({ timeZone: 'Europe/Berlin' }));

async function approve(clientName: string, more: object = {}, at = NOW) {
  const { streams } = resolveGrant(await loadCatalog(world.store.read), [{ connection_id: 'home' }]);
  const { grant, token } = await createGrant(world.store.write, { clientName, streams, ...more }, at);
  return { grantId: grant.grantId, token };
}

const find = async (grantId: string, now = NOW) => {
  const { live, ended } = await viewApps(world.store, now);
  return [...live, ...ended].find((app) => app.grant_id === grantId);
};

describe('recogniseKind', () => {
  it.each([
    ['Claude Code', undefined, 'CLI'],
    ['Codex', 'https://chatgpt.com/oauth/codex/abc/client.json', 'CLI'],
    ['ChatGPT', 'https://chatgpt.com/oauth/client.json', 'assistant'],
    ['Claude', 'https://claude.ai/oauth/mcp', 'assistant'],
    ['Visual Studio Code', 'https://vscode.dev/oauth/client-metadata.json', 'IDE'],
    ['Cursor', 'dyn_1', 'IDE'],
    ['My notebook', undefined, 'app'],
  ])('takes %s (%s) for a %s', (name, id, kind) => {
    expect(recogniseKind(name, id)).toBe(kind);
  });
});

describe('viewApps', () => {
  it('lists the name, access and use of an app', async () => {
    const { grantId, token } = await approve('Claude Code', {
      clientId: 'https://claude.ai/oauth/claude-code-client-metadata',
      verifiedHost: 'claude.ai',
    });
    await world.call(token, 'schema');
    await world.call(token, 'search', { query: 'ferry' });
    const app = await find(grantId);
    expect(app?.calls_per_day.at(-1)).toBe(2);
    expect(app?.calls_per_day).toHaveLength(30);
    expect(app?.tokens_30_days).toBeGreaterThan(100);
    expect(app).toMatchObject({
      client: 'Claude Code',
      kind: 'CLI',
      named_by: 'verified_host',
      verified_host: 'claude.ai',
      state: 'live',
      access: 'Notes of home: notes, comments, people, codes · until revoked',
      connected_at: NOW.toISOString(),
      last_used_at: NOW.toISOString(),
      calls_30_days: 2,
    });
  });

  it('shows who verified the name of an app', async () => {
    expect(await find((await approve('Some app', { clientId: 'dyn_1' })).grantId)).toMatchObject({
      named_by: 'itself',
    });
    expect(await find((await approve('My script')).grantId)).toMatchObject({ named_by: 'owner' });
  });

  it("counts only the last 30 days of the owner's calendar", async () => {
    const { grantId, token } = await approve('Old friend');
    const insert = world.store.audit.raw.prepare(
      "insert into audit (at, request_id, client, grant_id, surface, tool, records, tokens_out, ms, outcome) values (?, 'req_1', 'Old friend', ?, 'mcp', 'schema', 0, 10, 1, 'ok')",
    );
    // Thirty days begin at midnight in Berlin, which is 22:00 or 23:00 UTC.
    insert.run('2026-10-17T21:59:59.000Z', grantId);
    insert.run('2026-10-17T22:00:00.000Z', grantId);
    await world.call(token, 'schema');
    const app = await find(grantId);
    expect(app).toMatchObject({ calls_30_days: 2, last_used_at: NOW.toISOString() });
    expect(app?.calls_per_day[0]).toBe(1);
  });

  it('lists ended access for 90 days', async () => {
    const revoked = await approve('Revoked', {}, daysAgo(100));
    await approve('Expired', { expiresAt: daysAgo(10) }, daysAgo(100));
    const forgotten = await approve('Forgotten', { expiresAt: daysAgo(91) }, daysAgo(100));
    await createPages(world).changes.revoke(revoked.grantId);
    const { live, ended } = await viewApps(world.store, NOW);
    expect(live.map((app) => app.client)).not.toContain('Revoked');
    expect(ended.map(({ client, state, ended_at }) => [client, state, ended_at])).toEqual([
      ['Revoked', 'revoked', NOW.toISOString()],
      ['Expired', 'expired', daysAgo(10).toISOString()],
    ]);
    expect(ended.map((app) => app.grant_id)).not.toContain(forgotten.grantId);
  });
});

describe('viewApp', () => {
  it('lists reads without record data', async () => {
    const { grantId, token } = await approve('Reader', { purpose: 'Weekly review' });
    await world.call(token, 'query_records', { stream: 'notes', fields: ['id', 'title'], limit: 2 });
    await world.call(token, 'query_records', { stream: 'nowhere' });
    const app = await viewApp(world.store, grantId, NOW);
    expect(app.purpose).toBe('Weekly review');
    expect(app.days.at(-1)).toMatchObject({ day: '2026-11-16', calls: 2, records: 2 });
    expect(app.reads).toMatchObject([
      { tool: 'query_records', outcome: 'unknown_stream', streams: [], records: 0 },
      {
        tool: 'query_records',
        connections: ['home'],
        streams: ['notes'],
        fields: ['id', 'title'],
        records: 2,
        outcome: 'ok',
      },
    ]);
    expect(JSON.stringify(app)).not.toContain('Lisbon');
  });

  it('outlines access per connection and stream', async () => {
    const { grantId } = await world.grant([
      { connection_id: 'home', stream: 'notes', fields: ['title'] },
      { connection_id: 'home', stream: 'codes', keys: ['a', 'b'] },
    ]);
    const { connections } = await viewApp(world.store, grantId, NOW);
    expect(connections).toMatchObject([
      {
        connection_id: 'home',
        name: 'Notes of home',
        streams_total: 4,
        streams: [
          { stream: 'notes', fields: ['id', 'title', 'created_at'], picked_records: null },
          { stream: 'codes', fields_left_out: [], picked_records: 2 },
        ],
      },
    ]);
    expect(connections[0]?.streams[0]?.fields_left_out).toContain('secret');
  });

  it('refuses an unknown id', async () => {
    await expect(viewApp(world.store, 'grant_0', NOW)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('escapes invisible characters', async () => {
    const { grantId } = await approve('Plain name', { purpose: 'good\u202edoog' });
    world.store.write.raw
      .prepare('update grants set client_name = ? where grant_id = ?')
      .run('evil\u202egpj', grantId);
    expect(await viewApp(world.store, grantId, NOW)).toMatchObject({
      client: 'evil\\u{202e}gpj',
      purpose: 'good\\u{202e}doog',
    });
  });
});

describe('changes to an app', () => {
  it('revoke access immediately and are logged', async () => {
    const { grantId, token } = await approve('Short');
    const { changes } = createPages(world);
    await changes.revoke(grantId);
    await changes.revoke(grantId);
    expect((await world.rpc(token, 'tools/list')).status).toBe(401);
    const { state, events } = await viewApp(world.store, grantId, NOW);
    expect({ state, kinds: events.map((event) => event.kind) }).toEqual({
      state: 'revoked',
      kinds: ['revoked'],
    });
    expect(events[0]?.text).toBe('You ended access.');
  });

  it('change the expiry but do not restore ended access', async () => {
    const { grantId } = await approve('Longer');
    const { changes } = createPages(world);
    await changes.setExpiry(grantId, '1w');
    expect(await find(grantId)).toMatchObject({ expires_at: '2026-11-23T12:00:00.000Z', state: 'live' });
    await changes.setExpiry(grantId, 'never');
    expect(await find(grantId)).toMatchObject({ expires_at: null });
    await expect(changes.setExpiry(grantId, 'soon')).rejects.toMatchObject({ code: 'invalid_argument' });
    await changes.setExpiry(grantId, '1d');
    const later = createPages(world, () => new Date(NOW.getTime() + 2 * DAY)).changes;
    await expect(later.setExpiry(grantId, '1y')).rejects.toMatchObject({ code: 'grant_revoked' });
  });

  it('remove one connection', async () => {
    const { grantId } = await approve('Less');
    const { changes } = createPages(world);
    await changes.endConnection(grantId, 'home');
    await expect(changes.endConnection(grantId, 'home')).rejects.toMatchObject({
      code: 'unknown_connection',
    });
    const { connections, ended_connections, access, events } = await viewApp(world.store, grantId, NOW);
    expect({ connections, ended_connections, access }).toEqual({
      connections: [],
      ended_connections: [{ connection_id: 'home', name: 'Notes of home' }],
      access: 'No access',
    });
    expect(events).toMatchObject([{ kind: 'connection_ended', detail: 'Notes of home' }]);
  });
});
