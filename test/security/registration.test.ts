import { describe, expect, it, vi } from 'vitest';
import { createDiaryWorld } from '../support/diary-world.ts';
import { statusOf } from '../support/oauth-checks.ts';
import { CALLBACK, createOwnerBrowser, OAuthClient, register } from '../support/oauth-client.ts';
import { startAgain } from '../support/servers/servers.ts';
import { useWorld } from '../support/use-world.ts';
import type { World } from '../support/world.ts';

const world = await useWorld(createDiaryWorld({ clock: 'real' }));
const owner = await createOwnerBrowser(world);

/** A server that has not counted any registration yet. */
const fresh = () => startAgain(world);
const countClients = () =>
  world.store.write.raw
    .prepare(`select count(*) from oauth_items where kind = 'Client'`)
    .pluck()
    .get() as number;

const bad = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  '\tjavascript:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'java\0script:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://app.example/1',
  'http://app.example/cb',
  'https://*.example/cb',
  'https://app.example/cb#x',
  'https://u@app.example/cb',
  'https://app.example/\r\nx',
  'https://app.example/\u202e',
  'https://app.example\\@evil.example',
  '//app.example/cb',
  '',
];

describe('registration', () => {
  it('A-11 accepts redirect URIs by allowlist', async () => {
    const server = fresh();
    for (const uri of bad) {
      const response = await register(server, { redirect_uris: [CALLBACK, uri] });
      expect([uri, response.status]).toEqual([uri, 400]);
      expect(await response.json()).toMatchObject({ error: 'invalid_redirect_uri' });
    }
    for (const redirect_uris of [undefined, [], 'https://app.example/cb', [7], [null], {}]) {
      const response = await register(server, { redirect_uris });
      expect(await response.json()).toMatchObject({ error: 'invalid_redirect_uri' });
    }
    expect(countClients()).toBe(0);
  });

  it.each(['client_uri', 'logo_uri', 'tos_uri', 'policy_uri'])(
    'A-11 accepts %s by the same list',
    async (member) => {
      const server = fresh();
      for (const uri of [...bad, 'com.example.app:/x', 7, {}]) {
        const response = await register(server, { redirect_uris: [CALLBACK], [member]: uri });
        expect([uri, response.status]).toEqual([uri, 400]);
        expect(await response.json()).toMatchObject({ error: 'invalid_client_metadata' });
      }
      const good = { redirect_uris: [CALLBACK], [member]: 'https://app.example/about' };
      expect((await register(server, good)).status).toBe(201);
    },
  );

  it('A-12 grants no requested privileges and no secret', async () => {
    const response = await register(fresh(), {
      redirect_uris: [CALLBACK],
      client_name: 'Admin',
      client_id: 'admin',
      client_secret: 'secret',
      issuer_subject_id: 'owner',
      sub: 'owner',
      trusted: true,
      scope: 'openid admin pdpp:write',
      grant_types: ['password', 'client_credentials', 'implicit'],
      response_types: ['token', 'code id_token'],
      token_endpoint_auth_method: 'client_secret_basic',
      jwks_uri: 'http://127.0.0.1:1/keys',
      sector_identifier_uri: 'https://127.0.0.1/sector',
      initiate_login_uri: 'https://evil.example',
      backchannel_logout_uri: 'http://127.0.0.1:1/',
      request_uris: ['http://127.0.0.1:1/'],
      __proto__: { polluted: true },
    });
    expect(response.status).toBe(201);
    expect(response.headers.get('cache-control')).toContain('no-store');
    const text = await response.text();
    const client = JSON.parse(text);
    expect(client.client_id).toMatch(/^[\w-]{20,}$/);
    expect(client).toMatchObject({
      client_name: 'Admin',
      redirect_uris: [CALLBACK],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
    expect(text).not.toMatch(
      /"admin"|secret|owner|trusted|openid|pdpp:write|password|client_credentials|implicit|jwks|evil|127\.0\.0\.1:1\b|logout|polluted/,
    );
  });

  it('A-12 is bounded in size, number and length', async () => {
    const server = fresh();
    const uris = (count: number) => Array.from({ length: count }, (_, i) => `https://app.example/${i}`);
    expect((await register(server, { redirect_uris: uris(10) })).status).toBe(201);
    for (const body of [
      { redirect_uris: uris(11) },
      { redirect_uris: [`https://app.example/${'a'.repeat(2_000)}`] },
      { redirect_uris: [CALLBACK], client_uri: `https://app.example/${'a'.repeat(2_000)}` },
      { redirect_uris: [CALLBACK], client_name: 7 },
      [],
      null,
      'text',
    ])
      expect((await register(server, body)).status).toBe(400);
    const big = { redirect_uris: [CALLBACK], client_name: 'a'.repeat(70_000) };
    expect((await register(server, big)).status).toBe(413);
    const named = await register(server, { redirect_uris: [CALLBACK], client_name: 'b'.repeat(10_000) });
    expect(await named.json()).toMatchObject({ client_name: 'b'.repeat(60) });
    const deep = await server.request('/oauth/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '['.repeat(60_000),
    });
    expect(deep.status).toBe(400);
  });

  it('A-12 is limited for one address, and does not evict existing clients', async () => {
    const client = await OAuthClient.register(fresh());
    const tokens = await client.connect(owner, { stream: ['0'] });
    const waiting = await OAuthClient.register(fresh());
    const server = fresh();
    const statuses: number[] = [];
    let retry: string | null = null;
    for (let i = 0; i < 1_000; i += 1) {
      const response = await register(server, { redirect_uris: [CALLBACK] });
      statuses.push(response.status);
      retry ??= response.headers.get('retry-after');
      await response.arrayBuffer();
    }
    expect(statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(60);
    expect(new Set(statuses)).toEqual(new Set([201, 429]));
    expect(statuses.indexOf(429)).toBeLessThanOrEqual(60);
    expect(Number(retry)).toBeGreaterThan(0);
    expect(await statusOf(world, tokens.access_token)).toBe(200);
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
    expect((await owner.open(waiting.startUrl().url)).status).toBe(200);
  });

  it('A-12 from many addresses stays under the cap, and clients with access are kept', async () => {
    const client = await OAuthClient.register(fresh());
    const tokens = await client.connect(owner, { stream: ['0'] });
    const insert = world.store.write.raw.prepare(
      `insert into oauth_items (kind, id_hash, payload, created_at, expires_at) values ('Client', ?, '{}', ?, ?)`,
    );
    const now = Math.floor(Date.now() / 1_000);
    for (let i = 0; i < 3_000; i += 1) insert.run(`stranger ${i}`, now - 60, now + 86_400);
    const last = await OAuthClient.register(fresh());
    expect(countClients()).toBeLessThan(1_100);
    expect((await owner.open(last.startUrl().url)).status).toBe(200);
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
  });

  it('A-12 without access is deleted after a day; one with access stays', async () => {
    const unused = await OAuthClient.register(fresh());
    const used = await OAuthClient.register(fresh());
    await used.connect(owner, { stream: ['0'] });
    const open = async (client: OAuthClient, server: World) =>
      (await server.request(client.startUrl().url)).status;
    expect(await open(unused, world)).toBe(303);
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      vi.setSystemTime(Date.now() + 25 * 3_600_000);
      expect(await open(unused, world)).toBe(400);
      expect(await open(used, world)).toBe(303);
    } finally {
      vi.useRealTimers();
    }
  });
});
