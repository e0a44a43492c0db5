import { describe, expect, it } from 'vitest';
import { revokeGrant } from '../../src/grants/grant-store.ts';
import { createToken } from '../../src/secrets/token.ts';
import { createDiaryWorld } from '../support/diary-world.ts';
import { LEGACY, post } from '../support/mcp-post.ts';
import { useWorld } from '../support/use-world.ts';
import { NOW, ORIGIN } from '../support/world.ts';

const world = await useWorld(createDiaryWorld());

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
const send = (headers: Record<string, string>) =>
  post(world, world.mine, list, { 'mcp-protocol-version': LEGACY, ...headers });

const readCode = (text: string) => JSON.parse(text).error.code;
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const PATHS = ['/mcp', '/v1/schema', '/', '/llms.txt', '/healthz', '/nowhere'];

describe('the Host header', () => {
  const foreign = [
    'evil.example',
    'evil.example:7733',
    'localhost',
    '127.0.0.1',
    '127.0.0.1:80',
    '127.0.0.1:77330',
    'x127.0.0.1:7733',
    '127.0.0.1:7733.evil.example',
    '127.0.0.1:7733, evil.example',
    '0.0.0.0:7733',
    '[::1]:7733',
    '',
  ];
  it.each(foreign)('T-02 "%s" is refused on every path, before the token is looked at', async (host) => {
    for (const path of PATHS) {
      const response = await world.request(path, { headers: { host } });
      expect([path, response.status]).toEqual([path, 403]);
      const text = await response.text();
      expect(JSON.parse(text).error.code).toBe('forbidden_origin');
      expect(text).not.toContain('evil');
    }
    expect((await send({ host })).status).toBe(403);
  });

  it('T-02 and its forwarded forms appear in no answer', async () => {
    const headers = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example',
    };
    for (const path of [
      ...PATHS,
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/mcp',
    ]) {
      const response = await world.request(path, { headers });
      expect(`${JSON.stringify([...response.headers])}${await response.text()}`).not.toContain('evil');
    }
  });
});

describe('the Origin header', () => {
  it.each([
    'https://evil.example',
    'null',
    '',
    'http://localhost:9999',
    'http://127.0.0.1',
    'http://127.0.0.1:7734',
    'https://127.0.0.1:7733',
    'https://localhost.evil.example',
    'http://127.0.0.1:7733.evil.example',
    'http://127.0.0.1:7733/',
    'HTTP://127.0.0.1:7733 ',
    'file://',
  ])('T-03 "%s" is refused', async (origin) => {
    const answer = await send({ origin });
    // White space around a header's value is not part of it.
    expect(answer.status).toBe(origin.trim() === ORIGIN ? 200 : 403);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect(
      (await world.request('/v1/schema', { headers: { origin, authorization: `Bearer ${world.mine}` } }))
        .status,
    ).toBe(403);
  });

  it('T-03 of our own origin, or none, is accepted', async () => {
    expect((await send({})).status).toBe(200);
    expect((await send({ origin: ORIGIN })).status).toBe(200);
  });

  it('T-14 is never allowed in by a preflight', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
    const response = await world.request('/mcp', { method: 'OPTIONS', headers });
    expect(response.status).toBe(403);
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('the Authorization header', () => {
  const bad: [name: string, make: (token: string) => string][] = [
    ['something after the token', (token) => `Bearer ${token} extra`],
    ['a second scheme', (token) => `Bearer ${token}, Basic x`],
    ['a second token', (token) => `Bearer ${token}, Bearer ${token}`],
    ['two spaces', (token) => `Bearer  ${token}`],
    ['a tab', (token) => `Bearer\t${token}`],
    ['a tab in the token', (token) => `Bearer ${token.slice(0, 9)}\t${token.slice(9)}`],
    ['no scheme', (token) => token],
    ['another scheme', (token) => `Basic ${token}`],
    ['a scheme that begins alike', (token) => `Bearerx ${token}`],
    ['quotes', (token) => `Bearer "${token}"`],
    ['no token', () => 'Bearer'],
    ['an empty token', () => 'Bearer '],
    ['a token that is too long', () => `Bearer ${'a'.repeat(10_000)}`],
    ['a character too many', (token) => `Bearer ${token}a`],
    ['a character too few', (token) => `Bearer ${token.slice(0, -1)}`],
    ['an end in equals signs', (token) => `Bearer ${token}=`],
    ['a hash of a token', () => 'Bearer n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg'],
  ];
  it.each(bad)('B-09 with %s is refused', async (_, make) => {
    expect((await send({ authorization: make(world.mine) })).status).toBe(401);
    const rest = await world.request('/v1/schema', { headers: { authorization: make(world.mine) } });
    expect(rest.status).toBe(401);
  });

  it('accepts its scheme in any letter case', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER'])
      expect((await send({ authorization: `${scheme} ${world.mine}` })).status).toBe(200);
  });

  it('B-07 is the only place for a token', async () => {
    const before = world.logged.length;
    const query = await world.request(`/mcp?access_token=${world.mine}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(list),
    });
    expect(query.status).toBe(401);
    const form = await world.request('/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `access_token=${world.mine}`,
    });
    expect(form.status).toBe(401);
    expect((await world.request(`/v1/schema?access_token=${world.mine}`)).status).toBe(401);
    expect(
      (await world.request('/v1/schema', { headers: { cookie: `access_token=${world.mine}` } })).status,
    ).toBe(401);
    expect(world.logged.slice(before).join()).not.toContain(world.mine);
  });
});

describe('the challenge', () => {
  const metadata = `resource_metadata="${ORIGIN}/.well-known/oauth-protected-resource/mcp"`;

  it('explains the MCP address to a person, and answers apps as before', async () => {
    for (const path of ['/mcp', '/mcp/']) {
      const visit = await world.request(path, { headers: { accept: BROWSER } });
      expect([visit.status, visit.headers.get('www-authenticate')]).toEqual([
        401,
        expect.stringContaining('resource_metadata='),
      ]);
      const text = await visit.text();
      expect(text).toContain('This address is for AI apps');
      expect(text).toContain('href="/dashboard/connect"');
      expect(visit.headers.get('content-security-policy')).toContain("default-src 'none'");
    }
    for (const accept of ['text/event-stream', 'application/json, text/event-stream', '*/*', '']) {
      const response = await world.request('/mcp', { headers: { accept } });
      expect([accept, response.status, readCode(await response.text())]).toEqual([
        accept,
        401,
        'unauthorized',
      ]);
    }
    const headers = { accept: BROWSER, authorization: `Bearer ${world.mine}` };
    expect((await world.request('/mcp', { headers })).status).toBe(405);
    const posted = await world.request('/mcp', { method: 'POST', headers: { accept: BROWSER } });
    expect(readCode(await posted.text())).toBe('unauthorized');
  });

  it('B-08 names no error without a token, and invalid_token for a bad one', async () => {
    for (const method of ['POST', 'GET', 'HEAD', 'DELETE', 'PUT', 'PATCH']) {
      const without = await world.request('/mcp', { method });
      expect([method, without.status]).toEqual([method, 401]);
      expect(without.headers.get('www-authenticate')).toBe(`Bearer ${metadata}`);
      const bad = await world.request('/mcp', { method, headers: { authorization: 'Bearer nope' } });
      expect([method, bad.status]).toEqual([method, 401]);
      expect(bad.headers.get('www-authenticate')).toBe(`Bearer error="invalid_token", ${metadata}`);
    }
  });

  it('B-08 links to metadata whose resource is the current address', async () => {
    for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'])
      expect(await (await world.request(path)).json()).toMatchObject({ resource: `${ORIGIN}/mcp` });
  });

  it('B-06 B-10 is the same for unknown, malformed, revoked and expired tokens', async () => {
    const revoked = await world.grant([{ connection_id: 'mine' }]);
    await revokeGrant(world.store.write, revoked.grantId, NOW);
    const expired = await world.grant([{ connection_id: 'mine' }], {}, new Date(NOW.getTime() - 1));
    const broken = await world.grant([{ connection_id: 'mine' }]);
    world.store.write.raw
      .prepare(`update grants set body = '{"version":"9.0.0"}' where grant_id = ?`)
      .run(broken.grantId);
    const odd = await world.grant([{ connection_id: 'mine' }]);
    world.store.write.raw.prepare(`update tokens set kind = 'superuser' where grant_id = ?`).run(odd.grantId);
    const tokens = ['pdpp_unknown', '???', revoked.token, expired.token, broken.token, odd.token];
    const answers = new Set<string>();
    for (const token of tokens) {
      const { status, headers, text } = await send({ authorization: `Bearer ${token}` });
      const body = text.replace(/req_\w+/, 'req_');
      answers.add(JSON.stringify([status, headers.get('www-authenticate'), body]));
    }
    expect([...answers]).toHaveLength(1);
    expect([...answers][0]).toMatch(/^\[401,/);
  });

  it('T-11 is 405 for other methods with a valid token', async () => {
    for (const method of ['GET', 'HEAD', 'DELETE', 'PUT']) {
      const response = await world.request('/mcp', {
        method,
        headers: { authorization: `Bearer ${world.mine}` },
      });
      expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, 'POST']);
    }
  });
});

describe('an owner token', () => {
  it('B-01 is refused at /mcp for every method, with no tool name in the answer', async () => {
    const owner = await world.ownerToken();
    for (const method of ['tools/list', 'server/discover', 'initialize', 'tools/call']) {
      const { status, text } = await post(world, owner, { ...list, method });
      expect(status).toBe(403);
      expect(JSON.parse(text).error.code).toBe('owner_token_refused');
      expect(text).not.toContain('query_records');
    }
    const get = await world.request('/mcp', { headers: { authorization: `Bearer ${owner}` } });
    expect(get.status).toBe(403);
  });
});

describe('a token', () => {
  it('B-11 has 256 random bits after a prefix for secret scanners', () => {
    const tokens = Array.from({ length: 3_000 }, createToken);
    expect(new Set(tokens).size).toBe(tokens.length);
    for (const token of tokens) expect(token).toMatch(/^pdpp_[A-Za-z0-9_-]{43}$/);
    // Every place but the last, which holds four bits only, takes every letter of the alphabet.
    for (let place = 5; place < 47; place++)
      expect(new Set(tokens.map((token) => token[place])).size).toBe(64);
  });

  it('B-04 ends with its grant, to the millisecond', async () => {
    const end = new Date(NOW.getTime() + 2_000);
    const { token } = await world.grant([{ connection_id: 'mine' }], {}, end);
    const statusAt = async (time: number) => {
      world.setNow(new Date(time));
      const { status } = await send({ authorization: `Bearer ${token}` });
      world.setNow(NOW);
      return status;
    };
    expect(await statusAt(end.getTime() - 1)).toBe(200);
    expect(await statusAt(end.getTime())).toBe(401);
    expect(await statusAt(end.getTime() + 86_400_000)).toBe(401);
  });
});
