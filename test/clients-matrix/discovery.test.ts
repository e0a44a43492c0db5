import { describe, expect, it } from 'vitest';
import { createDiaryWorld } from '../support/diary-world.ts';
import { useWorld } from '../support/use-world.ts';
import { ORIGIN } from '../support/world.ts';

const world = await useWorld(createDiaryWorld());

/** In the order in which clients try them; the ones below /mcp are Codex's. */
const RESOURCE_PATHS = [
  '/.well-known/oauth-protected-resource/mcp',
  '/mcp/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource',
];
const SERVER_PATHS = [
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server/mcp',
  '/.well-known/openid-configuration/mcp',
  '/mcp/.well-known/openid-configuration',
];
const VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28', '2099-01-01', 'odd'];
const ACCEPTS = ['*/*', 'application/json', 'text/event-stream', 'text/html', 'image/png', 'x', ''];

const read = async (path: string, headers: Record<string, string> = {}) => {
  const response = await world.request(path, { headers });
  expect([path, response.status]).toEqual([path, 200]);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  return response.json() as Promise<Record<string, unknown>>;
};

describe('discovery', () => {
  it('of the resource gives the same document on every probe path', async () => {
    const documents = await Promise.all(RESOURCE_PATHS.map((path) => read(path)));
    expect(new Set(documents.map((one) => JSON.stringify(one))).size).toBe(1);
  });

  it('of the authorization server gives the same document on every probe path', async () => {
    const documents = await Promise.all(SERVER_PATHS.map((path) => read(path)));
    expect(new Set(documents.map((one) => JSON.stringify(one))).size).toBe(1);
  });

  it('leads from the challenge to the resource, to the server, to its endpoints', async () => {
    const refused = await world.request('/mcp', { method: 'POST' });
    const address = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '')?.[1];
    expect(address).toBe(`${ORIGIN}/.well-known/oauth-protected-resource/mcp`);
    const resource = await read(new URL(address as string).pathname);
    const [issuer] = resource.authorization_servers as string[];
    const server = await read('/.well-known/oauth-authorization-server');
    expect(server.issuer).toBe(issuer);
    const endpoints = Object.entries(server).filter(([name]) => name.endsWith('_endpoint'));
    expect(endpoints.map(([name]) => name).sort()).toEqual([
      'authorization_endpoint',
      'device_authorization_endpoint',
      'introspection_endpoint',
      'pushed_authorization_request_endpoint',
      'registration_endpoint',
      'revocation_endpoint',
      'token_endpoint',
    ]);
    for (const [name, address] of endpoints) {
      const { origin, pathname } = new URL(address as string);
      expect(origin).toBe(ORIGIN);
      const method = name === 'authorization_endpoint' ? 'GET' : 'POST';
      const { status } = await world.request(pathname, { method });
      // Each is there, and says what is missing.
      expect([name, status]).not.toEqual([name, 404]);
      expect([name, status < 500]).toEqual([name, true]);
    }
  });

  it.each(VERSIONS)('ignores MCP-Protocol-Version %s', async (version) => {
    for (const path of [...RESOURCE_PATHS, ...SERVER_PATHS]) {
      expect(await read(path, { 'mcp-protocol-version': version })).toEqual(await read(path));
    }
  });

  it.each(ACCEPTS)('ignores Accept "%s"', async (accept) => {
    for (const path of [...RESOURCE_PATHS, ...SERVER_PATHS]) {
      expect(await read(path, { accept })).toEqual(await read(path));
    }
  });

  it('answers HEAD and a page of another origin, without letting it send credentials', async () => {
    for (const path of [...RESOURCE_PATHS, ...SERVER_PATHS]) {
      const head = await world.request(path, { method: 'HEAD' });
      expect([path, head.status]).toEqual([path, 200]);
      const foreign = await world.request(path, { headers: { origin: 'https://inspector.example' } });
      expect([path, foreign.status]).toEqual([path, 200]);
      expect(foreign.headers.get('access-control-allow-origin')).toBe('*');
      expect(foreign.headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  it('answers the preflight that a custom header of the MCP clients causes', async () => {
    for (const path of [...RESOURCE_PATHS, ...SERVER_PATHS]) {
      const response = await world.request(path, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://inspector.example',
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'mcp-protocol-version',
        },
      });
      expect([path, response.status]).toEqual([path, 204]);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('access-control-allow-headers')?.toLowerCase()).toContain(
        'mcp-protocol-version',
      );
    }
  });
});

describe('PRM resource', () => {
  it('is exactly what users type: the origin and /mcp, no slash', async () => {
    for (const path of RESOURCE_PATHS) expect((await read(path)).resource).toBe(`${ORIGIN}/mcp`);
  });

  it('names one authorization server, header tokens and no scope but its own', async () => {
    expect(await read('/.well-known/oauth-protected-resource')).toMatchObject({
      authorization_servers: [ORIGIN],
      scopes_supported: ['pdpp:read'],
      bearer_methods_supported: ['header'],
    });
  });

  it('never has the name of another host', async () => {
    const document = await read('/.well-known/oauth-protected-resource', {
      'x-forwarded-host': 'evil.example',
    });
    expect(document.resource).toBe(`${ORIGIN}/mcp`);
  });
});

describe('AS issuer', () => {
  it('is byte-identical to authorization_servers[0], without a slash', async () => {
    const { issuer } = await read('/.well-known/oauth-authorization-server');
    const { authorization_servers } = await read('/.well-known/oauth-protected-resource');
    expect(issuer).toBe(ORIGIN);
    expect(authorization_servers).toEqual([issuer]);
  });

  it('is announced for responses', async () => {
    const { authorization_response_iss_parameter_supported } = await read(SERVER_PATHS[0] as string);
    expect(authorization_response_iss_parameter_supported).toBe(true);
  });
});

describe('AS metadata', () => {
  it('offers CIMD and DCR, public clients and PKCE S256, and no unsupported feature', async () => {
    expect(await read('/.well-known/oauth-authorization-server')).toMatchObject({
      client_id_metadata_document_supported: true,
      registration_endpoint: `${ORIGIN}/oauth/register`,
      token_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      response_types_supported: ['code'],
      grant_types_supported: [
        'authorization_code',
        'refresh_token',
        'urn:ietf:params:oauth:grant-type:device_code',
      ],
    });
  });

  it('lists offline_access, which the resource and the challenge do not', async () => {
    const server = await read('/.well-known/oauth-authorization-server');
    expect(server.scopes_supported).toEqual(['pdpp:read', 'offline_access']);
    const resource = await read('/.well-known/oauth-protected-resource');
    expect(resource.scopes_supported).not.toContain('offline_access');
    const refused = await world.request('/mcp', { method: 'POST' });
    expect(refused.headers.get('www-authenticate')).not.toContain('offline_access');
  });

  it('lists no OpenID scope, which ChatGPT would ask for', async () => {
    const server = await read('/.well-known/openid-configuration');
    for (const scope of ['openid', 'profile', 'email']) expect(server.scopes_supported).not.toContain(scope);
  });

  it('has no member that is null or empty', async () => {
    const server = await read('/.well-known/oauth-authorization-server');
    for (const value of Object.values(server)) expect([null, '', undefined]).not.toContain(value);
  });
});

describe('/mcp without a token', () => {
  const bodies = {
    json: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }),
    bad: '{',
  };

  it.each(['GET', 'HEAD', 'POST', 'DELETE', 'PUT'])(
    'answers %s with 401 and the challenge, before it looks at anything else',
    async (method) => {
      for (const version of VERSIONS) {
        for (const accept of ACCEPTS) {
          const response = await world.request('/mcp', {
            method,
            headers: { accept, 'mcp-protocol-version': version },
          });
          expect(response.status).toBe(401);
          expect(response.headers.get('www-authenticate')).toBe(
            `Bearer resource_metadata="${ORIGIN}/.well-known/oauth-protected-resource/mcp"`,
          );
        }
      }
    },
  );

  it.each(Object.entries(bodies))('whatever the body (%s) and its type are', async (_, body) => {
    for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
      const response = await world.request('/mcp', {
        method: 'POST',
        headers: { 'content-type': type },
        body,
      });
      expect(response.status).toBe(401);
    }
  });

  it('and with a dead one says invalid_token, so that clients refresh', async () => {
    for (const method of ['GET', 'HEAD', 'POST']) {
      const response = await world.request('/mcp', { method, headers: { authorization: 'Bearer gone' } });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toMatch(
        /^Bearer error="invalid_token", resource_metadata=/,
      );
    }
  });
});
