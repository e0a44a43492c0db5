import { describe, expect, it } from 'vitest';
import { revokeGrant } from '../../src/grants/grant-store.ts';
import { LEGACY, MODERN, post, postModern } from '../support/mcp-post.ts';
import { useSignedInWorld } from '../support/use-world.ts';

const everything = { stream: ['0', '1', '2', '3'] };
const { world, owner: browser, client } = await useSignedInWorld();
const tokens = await client.connect(browser, everything);
const owner = await world.ownerToken();

const METHODS = ['initialize', 'ping', 'tools/list', 'tools/call', 'server/discover', 'resources/list'];
const FIVE = /schema|query_records|aggregate|search|fetch/;

describe('acceptance: owner/control-plane bearer tokens remain rejected', () => {
  it.each(METHODS)(
    'an owner token gets 403 for %s in both protocol versions, and no tool is named',
    async (method) => {
      const params = { name: 'schema', arguments: {} };
      const legacy = { jsonrpc: '2.0', id: 1, method, params };
      for (const answer of [
        await postModern(world, owner, method, params),
        await post(world, owner, legacy, { 'mcp-protocol-version': LEGACY }),
        await post(world, owner, legacy),
        await post(world, owner, [legacy], { 'mcp-protocol-version': MODERN }),
      ]) {
        expect(answer.status).toBe(403);
        const { error } = JSON.parse(answer.text);
        expect(error.code).toBe('owner_token_refused');
        expect(answer.text).not.toMatch(FIVE);
      }
    },
  );

  it.each(['GET', 'HEAD', 'DELETE', 'PUT'])('nor does %s let one in', async (method) => {
    for (const path of ['/mcp', '/mcp/']) {
      const response = await world.request(path, { method, headers: { authorization: `Bearer ${owner}` } });
      expect(response.status).toBe(403);
    }
  });

  it('an owner token cannot be exchanged for one of a client', async () => {
    for (const grant_type of [
      'refresh_token',
      'client_credentials',
      'urn:ietf:params:oauth:grant-type:token-exchange',
      'urn:ietf:params:oauth:grant-type:jwt-bearer',
    ]) {
      const response = await client.token({
        grant_type,
        refresh_token: owner,
        subject_token: owner,
        assertion: owner,
      });
      expect(response.status).toBe(400);
    }
  });
});

describe('acceptance: other credentials are refused at /mcp', () => {
  const secrets: [name: string, find: () => Promise<string>][] = [
    ['a refresh token', async () => tokens.refresh_token],
    ['a code', async () => (await client.approve(browser, everything)).code as string],
    ['a client id', async () => client.clientId],
    ['the cookie of the owner', async () => [...browser.cookies.values()][0] as string],
    ['a token nobody issued', async () => 'pdpp_'.padEnd(48, 'x')],
    ['the hash of a token', async () => (await readHashes())[0] as string],
  ];
  const readHashes = async () =>
    (await world.store.read.db.selectFrom('tokens').select('token_hash').execute()).map(
      (row) => row.token_hash,
    );

  it.each(secrets)('%s gets 401 and invalid_token', async (_, find) => {
    const answer = await postModern(world, await find(), 'tools/list');
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
    expect(answer.text).not.toMatch(FIVE);
  });

  it('the owner’s cookie does not replace a token', async () => {
    const cookie = [...browser.cookies].map(([key, value]) => `${key.split(' ')[0]}=${value}`).join('; ');
    const response = await world.request('/mcp', { method: 'POST', headers: { cookie } });
    expect(response.status).toBe(401);
  });

  it('a token in the URL or in a form is ignored', async () => {
    const { access_token } = tokens;
    const inAddress = await world.request(`/mcp?access_token=${access_token}`, { method: 'POST' });
    expect(inAddress.status).toBe(401);
    const inForm = await world.request('/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `access_token=${access_token}`,
    });
    expect(inForm.status).toBe(401);
    expect(world.logged.join('\n')).not.toContain(access_token);
  });

  it('a token gets 401 with the first request after its access has ended', async () => {
    const { access_token } = await client.connect(browser, everything);
    expect((await postModern(world, access_token, 'tools/list')).status).toBe(200);
    const { grant_id } = await world.store.read.db
      .selectFrom('grants')
      .select('grant_id')
      .where('client_id', '=', client.clientId)
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow();
    await revokeGrant(world.store.write, grant_id, new Date());
    expect((await postModern(world, access_token, 'tools/list')).status).toBe(401);
  });
});

describe('acceptance: an app token has no owner rights', () => {
  it('it may not add records, introspect, or open a page', async () => {
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    const ingest = await world.request('/v1/ingest/mine/entries', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/x-ndjson' },
      body: '{"key":"x","emitted_at":"2026-11-01T00:00:00Z","data":{"id":"x"}}\n',
    });
    expect(ingest.status).toBe(403);
    const introspect = await world.request('/oauth/introspect', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      body: `token=${tokens.access_token}`,
    });
    expect(introspect.status).toBe(401);
    for (const path of ['/dashboard', '/dashboard/apps', '/dashboard.json', '/r/mine/entries/one']) {
      expect((await world.request(path, { headers })).status).toBe(401);
    }
  });
});
