import { afterEach, describe, expect, it, vi } from 'vitest';
import { OAuthClient, type Tokens } from '../support/oauth-client.ts';
import { useSignedInWorld } from '../support/use-world.ts';
import { ORIGIN } from '../support/world.ts';

const { world, owner: browser, client } = await useSignedInWorld();
afterEach(() => {
  vi.useRealTimers();
});

const everything = { stream: ['0', '1', '2', '3'] };
const list = async (token: string) => (await world.rpc(token, 'tools/list')).status;
const read = async (response: Response, status = 200) => {
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  const body = (await response.json()) as Tokens & { error?: string; error_description?: string };
  expect([response.status, body.error]).toEqual([status, status === 200 ? undefined : expect.any(String)]);
  return body;
};

describe('expires_in', () => {
  it('is an integer above 300, and true to the second', async () => {
    const { access_token, expires_in } = await client.connect(browser, everything);
    expect(Number.isInteger(expires_in)).toBe(true);
    expect(expires_in).toBeGreaterThan(300);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + (expires_in - 3) * 1_000 });
    expect(await list(access_token)).toBe(200);
    vi.setSystemTime(Date.now() + 4_000);
    expect(await list(access_token)).toBe(401);
  });

  it('is the remaining lifetime of the access if that ends earlier', async () => {
    const { access_token, expires_in } = await client.connect(browser, { ...everything, expires: '1d' });
    expect(expires_in).toBeGreaterThan(86_400 - 10);
    expect(expires_in).toBeLessThanOrEqual(86_400);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + (expires_in + 1) * 1_000 });
    expect(await list(access_token)).toBe(401);
  });

  it('stays true on refresh, near the end of the access too', async () => {
    const first = await client.connect(browser, { ...everything, expires: '1w' });
    const start = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: start + 6.5 * 86_400_000 });
    const { access_token, expires_in } = await read(await client.refresh(first.refresh_token));
    expect(expires_in).toBeGreaterThan(0.5 * 86_400 - 60);
    expect(expires_in).toBeLessThanOrEqual(0.5 * 86_400);
    vi.setSystemTime(start + 7 * 86_400_000 + 2_000);
    expect(await list(access_token)).toBe(401);
  });
});

describe('a token answer', () => {
  it('has the members clients need, the type Bearer, and no member that is null', async () => {
    const tokens = await client.connect(browser, everything);
    expect(Object.keys(tokens).sort()).toEqual([
      'access_token',
      'expires_in',
      'refresh_token',
      'scope',
      'token_type',
    ]);
    expect(tokens.token_type).toBe('Bearer');
    expect(tokens.access_token).toMatch(/^pdpp_/);
  });

  it('names offline_access among the scopes only where it was asked for', async () => {
    const asked = await client.connect(browser, everything, { scope: 'pdpp:read offline_access' });
    const silent = await client.connect(browser, everything, { scope: 'pdpp:read' });
    expect(silent.scope).toBe('pdpp:read');
    expect(['pdpp:read', 'pdpp:read offline_access']).toContain(asked.scope);
  });
});

describe('refresh', () => {
  const accepted: [name: string, params: Record<string, string>][] = [
    ['nothing more', {}],
    ['scope', { scope: 'pdpp:read' }],
    ['an empty scope', { scope: '' }],
    ['scope with offline_access, which was never granted', { scope: 'pdpp:read offline_access' }],
    ['a scope that does not exist', { scope: 'pdpp:more' }],
    ['resource', { resource: `${ORIGIN}/mcp` }],
    ['resource with a slash', { resource: `${ORIGIN}/mcp/` }],
    ['the origin as resource', { resource: `${ORIGIN}/` }],
    ['a parameter nobody knows', { client_name: 'x', audience: 'y' }],
  ];
  it.each(accepted)('with %s is served', async (_, params) => {
    const { refresh_token } = await client.connect(browser, everything, { scope: 'pdpp:read' });
    const again = await read(await client.token({ grant_type: 'refresh_token', refresh_token, ...params }));
    expect(again.scope).toBe('pdpp:read');
    expect(again.refresh_token).not.toBe(refresh_token);
    expect(await list(again.access_token)).toBe(200);
  });

  it('with the client id of another client is 400 invalid_grant, and the family lives', async () => {
    const { access_token, refresh_token } = await client.connect(browser, everything);
    const other = await OAuthClient.register(world);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect((await read(await other.refresh(refresh_token), 400)).error).toBe('invalid_grant');
    }
    expect(await list(access_token)).toBe(200);
    const again = await read(await client.refresh(refresh_token));
    expect(await list(again.access_token)).toBe(200);
    // A superseded one presented by a stranger ends nothing either, however late.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    expect((await read(await other.refresh(refresh_token), 400)).error).toBe('invalid_grant');
    expect(await list(again.access_token)).toBe(200);
  });

  it('by an unregistered client is 401 invalid_client', async () => {
    const { refresh_token } = await client.connect(browser, everything);
    const nobody = new OAuthClient(world, 'nobody');
    const response = await nobody.refresh(refresh_token);
    expect((await read(response, 401)).error).toBe('invalid_client');
    expect(await list((await read(await client.refresh(refresh_token))).access_token)).toBe(200);
  });

  it('without a client id is refused, and the family lives', async () => {
    const { refresh_token } = await client.connect(browser, everything);
    const response = await world.request('/oauth/token', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token }).toString(),
    });
    expect([400, 401]).toContain(response.status);
    expect((await client.refresh(refresh_token)).status).toBe(200);
  });

  it('with an unknown token is 400 invalid_grant', async () => {
    expect((await read(await client.refresh('pdppr_nothing'), 400)).error).toBe('invalid_grant');
    const { access_token } = await client.connect(browser, everything);
    expect((await read(await client.refresh(access_token), 400)).error).toBe('invalid_grant');
  });

  it('for the resource of another server is 400 invalid_target, and the family lives', async () => {
    const { refresh_token } = await client.connect(browser, everything);
    const params = { grant_type: 'refresh_token', refresh_token, resource: 'https://other.example/mcp' };
    expect((await read(await client.token(params), 400)).error).toBe('invalid_target');
    expect((await client.refresh(refresh_token)).status).toBe(200);
  });

  it('of an access that the owner has ended is 400 invalid_grant', async () => {
    const { access_token, refresh_token } = await client.connect(browser, everything);
    await world.request('/oauth/revoke', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ client_id: client.clientId, token: refresh_token }).toString(),
    });
    expect(await list(access_token)).toBe(401);
    expect((await read(await client.refresh(refresh_token), 400)).error).toBe('invalid_grant');
  });
});

describe('/oauth/token', () => {
  it.each([
    ['no grant type', {}, 'invalid_request'],
    ['password', { grant_type: 'password' }, 'unsupported_grant_type'],
    ['client_credentials', { grant_type: 'client_credentials' }, 'unsupported_grant_type'],
    [
      'a code nobody issued',
      { grant_type: 'authorization_code', code: 'x', redirect_uri: 'x', code_verifier: 'x'.repeat(43) },
      'invalid_grant',
    ],
    ['no code', { grant_type: 'authorization_code' }, 'invalid_request'],
  ])('with %s says so in one line of plain text', async (_, params, error) => {
    const body = await read(await client.token(params as Record<string, string>), 400);
    expect(body.error).toBe(error);
    expect(Object.keys(body).sort()).toEqual(['error', 'error_description']);
  });

  it('accepts a code only from the client it was issued to', async () => {
    const { code, verifier } = await client.approve(browser, everything);
    const other = await OAuthClient.register(world);
    expect((await read(await other.redeem(code as string, verifier), 400)).error).toBe('invalid_grant');
  });

  it('reads forms only', async () => {
    const response = await world.request('/oauth/token', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ grant_type: 'refresh_token' }),
    });
    expect(response.status).toBe(415);
    expect(await response.json()).toMatchObject({ error: 'invalid_request' });
  });
});
