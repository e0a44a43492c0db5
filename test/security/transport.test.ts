import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { createDiaryWorld } from '../support/diary-world.ts';
import { postModern } from '../support/mcp-post.ts';
import { postForm } from '../support/oauth-checks.ts';
import { OAuthClient } from '../support/oauth-client.ts';
import { HTTPS_ORIGIN, startAgain, startHttps } from '../support/servers/servers.ts';
import { useWorld } from '../support/use-world.ts';
import { ORIGIN } from '../support/world.ts';

const world = await useWorld(createDiaryWorld({ clock: 'real' }));

const METADATA = [
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
  '/mcp/.well-known/oauth-protected-resource',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-authorization-server/mcp',
  '/.well-known/openid-configuration',
];
const PRIVATE = [
  '/mcp',
  '/mcp/',
  '/v1/schema',
  '/v1/streams/.well-known/records',
  '/login',
  '/dashboard',
  '/oauth/authorize',
  '/oauth/token',
  '/oauth/register',
  '/healthz',
  '/llms.txt',
  '/zzz',
];

describe('the Host header', () => {
  it('T-02 and its forwarded forms appear in no address of the authorization server', async () => {
    const client = await OAuthClient.register(world);
    const claims = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      'x-forwarded-port': '444',
      forwarded: 'host=evil.example;proto=https',
      'x-original-host': 'evil.example',
    };
    const { url } = client.startUrl();
    const query = new URL(url).search;
    const answers = [
      await postForm(world, '/oauth/device/code', { client_id: client.clientId }, claims),
      await postForm(world, '/oauth/par', [...new URL(url).searchParams], claims),
      await world.request(`/oauth/authorize${query}`, { headers: claims }),
      await world.request(`/oauth/authorize${query}&response_type=x`, { headers: claims }),
      await world.request('/login', { headers: claims }),
      await world.request('/dashboard', { headers: { ...claims, accept: 'text/html' } }),
    ];
    for (const answer of answers)
      expect(`${JSON.stringify([...answer.headers])}${await answer.text()}`).not.toMatch(/evil|:444/);
    const { verification_uri } = (await (
      await postForm(world, '/oauth/device/code', { client_id: client.clientId }, claims)
    ).json()) as Record<string, string>;
    expect(verification_uri).toBe(`${ORIGIN}/oauth/device`);
  });

  it('T-02 is checked first, below /oauth too', async () => {
    for (const path of [...PRIVATE, ...METADATA]) {
      const response = await world.request(path, { headers: { host: 'evil.example' } });
      expect([path, response.status]).toEqual([path, 403]);
    }
  });
});

describe('the Origin header', () => {
  const foreign = ['https://evil.example', 'null', 'http://localhost:9999', 'https://localhost.evil.example'];

  it('T-03 of other origins is refused everywhere except at public metadata', async () => {
    for (const origin of foreign) {
      for (const path of PRIVATE)
        for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE']) {
          const response = await world.request(path, { method, headers: { origin } });
          expect([origin, path, method, response.status]).toEqual([origin, path, method, 403]);
        }
      for (const path of METADATA) {
        expect((await world.request(path, { headers: { origin } })).status).toBe(200);
        expect((await world.request(path, { method: 'POST', headers: { origin } })).status).toBe(403);
      }
    }
  });

  it('T-03 null is refused at the endpoints of apps, also with same-origin fetch metadata', async () => {
    const headers = {
      origin: 'null',
      'sec-fetch-site': 'same-origin',
      authorization: `Bearer ${world.mine}`,
    };
    for (const path of ['/mcp', '/mcp/', '/v1/schema'])
      expect(
        (await world.request(path, { method: path === '/v1/schema' ? 'GET' : 'POST', headers })).status,
      ).toBe(403);
  });

  it('T-03 is compared by scheme, host and port; http is another origin than https', async () => {
    const server = startHttps(world);
    const status = async (origin: string) =>
      (await server.request('/healthz', { headers: { origin } })).status;
    expect(await status(HTTPS_ORIGIN)).toBe(200);
    for (const origin of [
      'http://me.example',
      'https://me.example:444',
      'https://x.me.example',
      'https://me.example.evil.example',
    ])
      expect([origin, await status(origin)]).toEqual([origin, 403]);
    const both = startAgain(world, {
      publicUrl: HTTPS_ORIGIN,
      hosts: new Set(['me.example', '127.0.0.1:7733']),
    });
    for (const [origin, expected] of [
      ['http://127.0.0.1:7733', 200],
      ['http://me.example', 403],
    ] as const)
      expect((await both.request('/healthz', { headers: { origin } })).status).toBe(expected);
  });
});

describe('CORS', () => {
  it('T-14 is open for metadata, without credentials, and for nothing else', async () => {
    const preflight = {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    };
    const allowed = (headers: Headers) =>
      [...headers.keys()].filter((name) => name.startsWith('access-control'));
    for (const path of METADATA)
      for (const headers of [{ origin: 'https://evil.example' }, {}]) {
        const response = await world.request(path, { headers });
        expect(response.headers.get('access-control-allow-origin')).toBe('*');
        expect(response.headers.get('access-control-allow-credentials')).toBeNull();
      }
    for (const path of PRIVATE)
      for (const origin of ['https://evil.example', ORIGIN]) {
        const asked = await world.request(path, { method: 'OPTIONS', headers: { origin, ...preflight } });
        expect([path, allowed(asked.headers)]).toEqual([path, []]);
        for (const method of ['GET', 'POST']) {
          const sent = await world.request(path, { method, headers: { origin } });
          expect([path, allowed(sent.headers)]).toEqual([path, []]);
        }
      }
  });
});

describe('every answer', () => {
  it('T-15 forbids caching and sniffing; over https it sends HSTS', async () => {
    const server = startHttps(world);
    const paths = [
      '/login',
      '/dashboard',
      '/oauth/authorize',
      '/healthz',
      '/llms.txt',
      '/v1/schema',
      '/zzz',
      ...METADATA,
    ];
    for (const path of paths) {
      const [plain, secure] = [await world.request(path), await server.request(path)];
      for (const { headers } of [plain, secure]) {
        expect([path, headers.get('cache-control')]).toEqual([path, 'no-store']);
        expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff']);
      }
      expect(plain.headers.get('strict-transport-security')).toBeNull();
      expect(secure.headers.get('strict-transport-security')).toBe('max-age=31536000');
    }
  });

  it('T-15 about tools and server is private to one caller', async () => {
    for (const method of ['tools/list', 'server/discover']) {
      const { messages, headers } = await postModern(world, world.mine, method);
      expect(messages[0].result.cacheScope).toBe('private');
      expect(headers.get('cache-control')).toContain('no-store');
    }
  });

  it('T-15 is sent on loopback only, unless a public address is configured', () => {
    for (const host of ['0.0.0.0', '::', '192.168.1.2', 'me.example'])
      expect(() => loadConfig({ host }, {})).toThrow('set the public address');
    expect(loadConfig({}, {}).host).toBe('127.0.0.1');
    expect(loadConfig({ host: '0.0.0.0', 'public-url': HTTPS_ORIGIN }, {}).publicUrl).toBe(HTTPS_ORIGIN);
  });
});
