import { describe, expect, it } from 'vitest';
import { findCsrf, postForm } from '../support/oauth-checks.ts';
import { useSignedInWorld } from '../support/use-world.ts';

const { world, owner, client } = await useSignedInWorld();

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('credentials', () => {
  it('B-05 open only their own endpoints', async () => {
    const tokens = await client.connect(owner, { stream: ['0', '1'] });
    const { code } = await client.approve(owner, { stream: '0' });
    const device = await postForm(world, '/oauth/device/code', { client_id: client.clientId });
    const { device_code, user_code } = (await device.json()) as Record<string, string>;
    const page = await owner.open('/dashboard/apps');
    const session = owner.cookies.get('pdpp_7733 /') as string;
    const hash = world.store.write.raw
      .prepare('select token_hash from tokens limit 1')
      .pluck()
      .get() as string;
    const kinds: Record<string, Record<string, string>> = {
      client: bearer(tokens.access_token),
      owner: bearer(await world.ownerToken()),
      'owner cookie': { cookie: `pdpp_7733=${session}` },
      'client token as cookie': { cookie: `pdpp_7733=${tokens.access_token}` },
      'refresh token': bearer(tokens.refresh_token),
      code: bearer(code as string),
      'device code': bearer(device_code as string),
      'user code': bearer(user_code as string),
      'client id': bearer(client.clientId),
      'session value': bearer(session),
      'csrf value': bearer(findCsrf(page)),
      'stored hash': bearer(hash),
      nothing: {},
    };
    const line = '{"key":"x","emitted_at":"2026-01-01T00:00:00Z","data":{"id":"x"}}';
    const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const doors: Record<string, (headers: Record<string, string>) => Promise<Response>> = {
      '/mcp': (headers) =>
        world.request('/mcp', { method: 'POST', headers: { ...headers, ...json }, body: list }),
      '/v1/schema': (headers) => world.request('/v1/schema', { headers }),
      '/v1/ingest': (headers) =>
        world.request('/v1/ingest/mine/entries', {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/x-ndjson' },
          body: line,
        }),
      '/dashboard.json': (headers) => world.request('/dashboard.json', { headers }),
      '/dashboard/apps.json': (headers) => world.request('/dashboard/apps.json', { headers }),
      '/r': (headers) => world.request('/r/mine/entries/one', { headers }),
      '/oauth/introspect': (headers) => postForm(world, '/oauth/introspect', { token: 'x' }, headers),
    };
    const table: Record<string, number[]> = {};
    for (const [kind, headers] of Object.entries(kinds)) {
      table[kind] = [];
      for (const open of Object.values(doors)) table[kind]?.push((await open(headers)).status);
    }
    const nowhere = Array(7).fill(401);
    expect(table).toEqual({
      ...Object.fromEntries(Object.keys(kinds).map((kind) => [kind, nowhere])),
      client: [200, 200, 403, 401, 401, 401, 401],
      owner: [403, 200, 200, 401, 401, 401, 200],
      'owner cookie': [401, 401, 401, 200, 200, 200, 401],
    });
  });
});
