import { describe, expect, it } from 'vitest';
import { findCsrf, introspect, outcome, postForm, postPage, statusOf } from '../support/oauth-checks.ts';
import { OAuthClient, type Tokens } from '../support/oauth-client.ts';
import { startAgain } from '../support/servers/servers.ts';
import { useSignedInWorld } from '../support/use-world.ts';

const { world, owner, client } = await useSignedInWorld();
const other = await OAuthClient.register(world, { client_name: 'Other' });

const connect = (): Promise<Tokens> => client.connect(owner, { stream: ['0', '1'] });
const POSTED = ['/oauth/token', '/oauth/revoke', '/oauth/introspect', '/oauth/par', '/oauth/device/code'];

describe('the token endpoint', () => {
  it.each([
    'password',
    'client_credentials',
    'implicit',
    'urn:ietf:params:oauth:grant-type:jwt-bearer',
    'urn:ietf:params:oauth:grant-type:token-exchange',
    'urn:openid:params:grant-type:ciba',
    '__proto__',
    'toString',
  ])('A-25 refuses %s', async (grant_type) => {
    const form = { grant_type, username: 'owner', password: 'x', scope: 'pdpp:read', assertion: 'x' };
    expect(await outcome(client.token(form))).toEqual([400, 'unsupported_grant_type']);
  });

  it('A-25 accepts each parameter once, and from the body only', async () => {
    const { refresh_token } = await connect();
    const { code, verifier } = await client.approve(owner, { stream: '0' });
    const fields: [string, string][] = [
      ['grant_type', 'authorization_code'],
      ['client_id', client.clientId],
      ['code', code as string],
      ['code_verifier', verifier],
      ['redirect_uri', client.redirectUri],
    ];
    for (const [name, value] of fields) {
      const twice = await postForm(world, '/oauth/token', [...fields, [name, value]]);
      expect([name, ...(await outcome(twice))]).toEqual([name, 400, 'invalid_request']);
    }
    const query = new URLSearchParams(fields);
    const inQuery = await postForm(world, `/oauth/token?${query}`, {});
    expect(await outcome(inQuery)).toEqual([400, 'invalid_request']);
    const get = await world.request(`/oauth/token?${query}`);
    expect(get.status).toBe(405);
    expect((await postForm(world, '/oauth/token', fields)).status).toBe(200);
    const refresh: [string, string][] = [
      ['grant_type', 'refresh_token'],
      ['client_id', client.clientId],
      ['refresh_token', refresh_token],
    ];
    const twice = await postForm(world, '/oauth/token', [...refresh, ['refresh_token', refresh_token]]);
    expect(await outcome(twice)).toEqual([400, 'invalid_request']);
  });

  it('A-25 forbids caching of every answer', async () => {
    const { refresh_token } = await connect();
    const token = await world.ownerToken();
    const answers = [
      client.refresh(refresh_token),
      client.refresh('nope'),
      client.token({ grant_type: 'password' }),
      client.token({ grant_type: 'refresh_token', refresh_token, resource: 'https://x.example' }),
      postForm(world, '/oauth/token', { client_id: 'nobody', grant_type: 'refresh_token' }),
      postForm(world, '/oauth/token', {}, { 'content-type': 'application/json' }),
      world.request('/oauth/token'),
      postForm(world, '/oauth/revoke', { client_id: client.clientId, token: 'nope' }),
      postForm(world, '/oauth/introspect', { token: 'nope' }, { authorization: `Bearer ${token}` }),
      postForm(world, '/oauth/introspect', { token: 'nope' }),
      postForm(world, '/oauth/device/code', { client_id: client.clientId }),
      postForm(world, '/oauth/par', { client_id: client.clientId }),
    ];
    for (const [i, answer] of answers.entries()) {
      const { headers } = await answer;
      expect([i, headers.get('cache-control'), headers.get('pragma')]).toEqual([i, 'no-store', 'no-cache']);
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it.each(POSTED)('A-25 T-09 %s is for POST, with a form and nothing else', async (path) => {
    const authorization = `Bearer ${await world.ownerToken()}`;
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH']) {
      const response = await world.request(path, { method, headers: { authorization } });
      expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, 'POST']);
    }
    const json = JSON.stringify({ grant_type: 'refresh_token', client_id: client.clientId, token: 'x' });
    for (const type of [
      'application/json',
      'text/plain',
      'multipart/form-data',
      'application/x-www-form-urlencodedx',
    ]) {
      const response = await postForm(world, path, { json }, { 'content-type': type, authorization });
      expect([type, ...(await outcome(response))]).toEqual([type, 415, 'invalid_request']);
    }
    const none = await world.request(path, {
      method: 'POST',
      headers: { authorization },
      body: new TextEncoder().encode('token=x'),
    });
    expect(none.status).toBe(415);
  });

  it('A-25 T-09 registration is for POST, with JSON and nothing else', async () => {
    const server = startAgain(world);
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect((await server.request('/oauth/register', { method })).status).toBe(405);
    for (const path of [`/oauth/register/${client.clientId}`, '/oauth/register/x'])
      for (const method of ['GET', 'PUT', 'DELETE'])
        expect((await server.request(path, { method })).status).toBe(404);
    for (const type of ['text/plain', 'application/jsonp', 'application/x-www-form-urlencoded'])
      expect((await postForm(server, '/oauth/register', {}, { 'content-type': type })).status).toBe(415);
  });

  it('A-25 supports public clients only', async () => {
    const { refresh_token } = await connect();
    const basic = Buffer.from(`${client.clientId}:secret`).toString('base64');
    const form = { grant_type: 'refresh_token', refresh_token };
    const [status, error] = await outcome(
      postForm(world, '/oauth/token', form, { authorization: `Basic ${basic}` }),
    );
    expect([400, 401]).toContain(status);
    expect(error).toBe('invalid_client');
    expect(await outcome(postForm(world, '/oauth/token', { ...form, client_id: 'nobody' }))).toEqual([
      401,
      'invalid_client',
    ]);
  });
});

describe('revocation', () => {
  const revoke = (by: OAuthClient, token: string, more = {}) =>
    postForm(world, '/oauth/revoke', { client_id: by.clientId, token, ...more });

  it('A-25 of an unknown token succeeds', async () => {
    for (const token of ['nope', 'pdpp_x', world.mine, 'ref.a.b', 'a.b.c'])
      expect((await revoke(client, token)).status).toBe(200);
    expect(await statusOf(world, world.mine)).toBe(200);
  });

  it("A-25 of another client's token looks the same and does nothing", async () => {
    const tokens = await connect();
    for (const token of [tokens.access_token, tokens.refresh_token])
      for (const hint of ['access_token', 'refresh_token', 'x']) {
        const response = await revoke(other, token, { token_type_hint: hint });
        expect([response.status, await response.text()]).toEqual([200, '']);
      }
    expect(await statusOf(world, tokens.access_token)).toBe(200);
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
  });

  it.each(['access_token', 'refresh_token'] as const)(
    'A-25 B-03 of the %s ends all of its family',
    async (which) => {
      const first = await connect();
      const second = (await (await client.refresh(first.refresh_token)).json()) as Tokens;
      expect((await revoke(client, second[which])).status).toBe(200);
      for (const { access_token, refresh_token } of [first, second]) {
        expect(await statusOf(world, access_token)).toBe(401);
        expect(await introspect(world, access_token)).toEqual({ active: false });
        expect(await introspect(world, refresh_token)).toEqual({ active: false });
        expect(await outcome(client.refresh(refresh_token))).toEqual([400, 'invalid_grant']);
      }
    },
  );

  it('A-25 answers a browser form with 303', async () => {
    const page = await owner.open(client.startUrl().url);
    const answer = await postPage(owner, page.url, { csrf: findCsrf(page), decision: 'deny' });
    expect(answer.status).toBe(303);
    expect((await owner.send(answer.headers.get('location') as string)).status).toBe(303);
  });
});
