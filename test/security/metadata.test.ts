import { describe, expect, it } from 'vitest';
import { createDiaryWorld } from '../support/diary-world.ts';
import { postForm } from '../support/oauth-checks.ts';
import { createOwnerBrowser, OAuthClient } from '../support/oauth-client.ts';
import { HTTPS_ORIGIN, listRoutes, startHttps } from '../support/servers/servers.ts';
import { useWorld } from '../support/use-world.ts';
import { ORIGIN } from '../support/world.ts';

const world = await useWorld(createDiaryWorld({ clock: 'real' }));

const load = async (path: string, server = world as Pick<typeof world, 'request'>) =>
  (await (await server.request(path)).json()) as Record<string, unknown>;
const AS = '/.well-known/oauth-authorization-server';
const RESOURCE = '/.well-known/oauth-protected-resource/mcp';

describe('metadata', () => {
  it('A-26 lists exactly the supported features', async () => {
    expect(await load(AS)).toMatchInlineSnapshot(`
      {
        "authorization_details_types_supported": [
          "https://pdpp.dev/data-access",
        ],
        "authorization_endpoint": "http://127.0.0.1:7733/oauth/authorize",
        "authorization_response_iss_parameter_supported": true,
        "client_id_metadata_document_supported": true,
        "code_challenge_methods_supported": [
          "S256",
        ],
        "device_authorization_endpoint": "http://127.0.0.1:7733/oauth/device/code",
        "grant_types_supported": [
          "authorization_code",
          "refresh_token",
          "urn:ietf:params:oauth:grant-type:device_code",
        ],
        "introspection_endpoint": "http://127.0.0.1:7733/oauth/introspect",
        "introspection_endpoint_auth_methods_supported": [
          "Bearer",
        ],
        "issuer": "http://127.0.0.1:7733",
        "protected_resources": [
          "http://127.0.0.1:7733/mcp",
        ],
        "pushed_authorization_request_endpoint": "http://127.0.0.1:7733/oauth/par",
        "registration_endpoint": "http://127.0.0.1:7733/oauth/register",
        "response_modes_supported": [
          "query",
        ],
        "response_types_supported": [
          "code",
        ],
        "revocation_endpoint": "http://127.0.0.1:7733/oauth/revoke",
        "revocation_endpoint_auth_methods_supported": [
          "none",
        ],
        "scopes_supported": [
          "pdpp:read",
          "offline_access",
        ],
        "service_documentation": "http://127.0.0.1:7733/llms.txt",
        "token_endpoint": "http://127.0.0.1:7733/oauth/token",
        "token_endpoint_auth_methods_supported": [
          "none",
        ],
      }
    `);
    expect(await load(RESOURCE)).toMatchInlineSnapshot(`
      {
        "authorization_servers": [
          "http://127.0.0.1:7733",
        ],
        "bearer_methods_supported": [
          "header",
        ],
        "resource": "http://127.0.0.1:7733/mcp",
        "resource_documentation": "http://127.0.0.1:7733/llms.txt",
        "resource_name": "pdpp",
        "scopes_supported": [
          "pdpp:read",
        ],
      }
    `);
  });

  it('A-26 names addresses of the configured origin for any request', async () => {
    const headers = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
      forwarded: 'host=evil.example',
    };
    for (const path of [AS, RESOURCE]) {
      const text = await (await startHttps(world).request(path, { headers })).text();
      expect(text).not.toMatch(/evil|http:/);
      expect(text).toContain(HTTPS_ORIGIN);
    }
  });

  it('A-26 lists no refresh scope for the resource, and only supported features elsewhere', async () => {
    expect(JSON.stringify(await load(RESOURCE))).not.toContain('offline_access');
    expect(await load(AS)).toMatchObject({
      issuer: ORIGIN,
      code_challenge_methods_supported: ['S256'],
      scopes_supported: ['pdpp:read', 'offline_access'],
    });
  });

  it('A-26 names endpoints that answer', async () => {
    const endpoints = Object.entries(await load(AS)).filter(([name]) => name.endsWith('_endpoint'));
    expect(endpoints).toHaveLength(7);
    for (const [name, url] of endpoints) {
      const { pathname } = new URL(url as string);
      for (const response of [await world.request(pathname), await postForm(world, pathname, {})])
        expect([name, response.status === 404 && name !== 'authorization_endpoint']).toEqual([name, false]);
    }
    expect((await world.request('/oauth/authorize')).status).toBe(400);
    expect((await world.request((await load(AS)).service_documentation as string)).status).toBe(200);
  });

  it('A-26 is complete: /oauth has only the named endpoints and their pages', async () => {
    const named = Object.values(await load(AS))
      .filter((value) => typeof value === 'string' && value.startsWith(`${ORIGIN}/oauth/`))
      .map((url) => (url as string).slice(ORIGIN.length));
    const pages = ['/oauth/authorize/:uid', '/oauth/consent/:uid', '/oauth/device', '/oauth/device/:uid'];
    const routes = (await listRoutes(world)).filter(
      ({ method, path }) => method !== 'ALL' && path.startsWith('/oauth'),
    );
    expect([...new Set(routes.map(({ path }) => path))].sort()).toEqual([...named, ...pages].sort());
    const unnamed = [
      'jwks',
      'userinfo',
      'me',
      'session/end',
      'end_session',
      'ciba',
      'backchannel',
      'challenge',
      'reg',
      'auth',
      'request',
    ];
    for (const name of unnamed)
      for (const method of ['GET', 'POST'])
        expect([name, (await world.request(`/oauth/${name}`, { method })).status]).toEqual([name, 404]);
    for (const path of ['/jwks', '/me', '/token', '/reg', '/auth', '/request', '/device', '/interaction/x'])
      expect((await world.request(path)).status).toBe(404);
  });
});

describe('the library behind it', () => {
  it('A-26 does not answer at the paths of our own pages', async () => {
    await createOwnerBrowser(world);
    const client = await OAuthClient.register(world);
    const { url } = client.startUrl();
    for (const path of [new URL(url).pathname, '/oauth/authorize/x', '/oauth/device/x', '/oauth/consent/x'])
      for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
        const response = await world.request(path, { method });
        expect([method, path, [401, 404, 405].includes(response.status)]).toEqual([method, path, true]);
        expect(response.headers.get('access-control-allow-origin')).toBeNull();
      }
  });
});
