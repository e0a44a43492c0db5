import { afterEach, describe, expect, it, vi } from 'vitest';
import { createAppChanges } from '../../src/grants/change-grant.ts';
import { hashToken } from '../../src/secrets/token.ts';
import { createDiaryWorld } from '../support/diary-world.ts';
import { post, postLegacy, postModern } from '../support/mcp-post.ts';
import { introspect, postForm, statusOf } from '../support/oauth-checks.ts';
import type { Tokens } from '../support/oauth-client.ts';
import { runCli } from '../support/run-cli.ts';
import { makeFolder } from '../support/temp-folder.ts';
import { useSignedInWorld } from '../support/use-world.ts';
import { ORIGIN } from '../support/world.ts';

const { world, owner, client } = await useSignedInWorld(
  createDiaryWorld({ clock: 'real', accessTokenSeconds: 3_600 }),
);
afterEach(() => {
  vi.useRealTimers();
});

const connect = (form = {}): Promise<Tokens> => client.connect(owner, { stream: ['0', '1'], ...form });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const read = async (token: string) => (await world.request('/v1/schema', { headers: bearer(token) })).status;
const changeToken = (column: string, value: string, token: string) =>
  world.store.write.raw
    .prepare(`update tokens set ${column} = ? where token_hash = ?`)
    .run(value, hashToken(token));

describe('an owner token', () => {
  it('B-01 is refused at /mcp in both protocol versions, without naming a tool', async () => {
    const token = await world.ownerToken();
    for (const method of [
      'server/discover',
      'tools/list',
      'tools/call',
      'subscriptions/listen',
      'initialize',
      'ping',
      'zzz',
    ])
      for (const send of [postModern, postLegacy]) {
        const { status, text } = await send(world, token, method, { name: 'schema' });
        expect([method, status]).toEqual([method, 403]);
        expect(text).not.toMatch(/query_records|aggregate|"schema"|instructions/);
      }
    expect((await world.request('/mcp/', { method: 'POST', headers: bearer(token) })).status).toBe(403);
  });

  it('B-01 does not make an MCP server of the command line', async () => {
    const token = await world.ownerToken();
    const environment = {
      PDPP_TOKEN: token,
      PDPP_OWNER_TOKEN: token,
      PDPP_ACCESS_TOKEN: token,
      PDPP_DATA: world.store.directory,
    };
    const { code, out, err } = await runCli(['mcp'], { environment, folder: makeFolder() });
    expect(code).not.toBe(0);
    expect(out).toBe('');
    expect(err).not.toContain(token);
  });
});

describe('the audience', () => {
  it.each([
    `${ORIGIN}/mcp2`,
    `${ORIGIN}/mcp/`,
    `${ORIGIN}/mcp/../x`,
    `${ORIGIN}/MCP`,
    ORIGIN,
    'https://127.0.0.1:7733/mcp',
    'http://127.0.0.1:7734/mcp',
    'https://other.example/mcp',
    '',
  ])('B-02 %s is another one', async (resource) => {
    const { access_token } = await connect();
    expect(await statusOf(world, access_token)).toBe(200);
    changeToken('resource', resource, access_token);
    const { status, headers } = await postModern(world, access_token, 'tools/list');
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toContain('error="invalid_token"');
    expect(await read(access_token)).toBe(401);
  });

  it('B-02 of a token is stored when it is issued, for the only resource', async () => {
    const { access_token } = await connect();
    expect(await introspect(world, access_token)).toMatchObject({ active: true, aud: `${ORIGIN}/mcp` });
  });
});

describe('revocation', () => {
  const grantOf = (token: string) =>
    world.store.write.raw
      .prepare('select grant_id from tokens where token_hash = ?')
      .pluck()
      .get(hashToken(token)) as string;

  it('B-03 on the dashboard takes effect with the next call, on every surface', async () => {
    const { access_token, refresh_token } = await connect();
    const app = await owner.open(`/dashboard/apps/${grantOf(access_token)}`);
    expect(await statusOf(world, access_token)).toBe(200);
    const form = /<form[^>]*action="[^"]*\/revoke"[\s\S]*?<\/form>/.exec(app.text)?.[0] as string;
    expect((await owner.submit({ ...app, text: form })).status).toBe(200);
    for (let i = 0; i < 10; i += 1) {
      const call = { name: 'query_records', arguments: { stream: 'entries' } };
      expect((await postModern(world, access_token, 'tools/call', call)).status).toBe(401);
      expect((await postLegacy(world, access_token, 'tools/call', call)).status).toBe(401);
      expect((await post(world, access_token, {})).status).toBe(401);
      for (const path of ['/v1/schema', '/v1/streams/entries/records', '/v1/search?query=marker']) {
        const response = await world.request(path, { headers: bearer(access_token) });
        expect([path, response.status]).toEqual([path, 403]);
        expect(await response.json()).toMatchObject({ error: { code: 'grant_revoked' } });
      }
    }
    expect(await introspect(world, access_token)).toEqual({ active: false });
    expect((await client.refresh(refresh_token)).status).toBe(400);
  });

  it('B-03 of one connection removes it from the next answer and keeps the rest', async () => {
    const { access_token } = await connect({ stream: ['0', '1', '2', '3'] });
    const list = async () => JSON.stringify(await world.call(access_token, 'search', { query: 'one' }));
    expect([await list()].map((text) => [/mine\/entries/.test(text), /theirs\/entries/.test(text)])).toEqual([
      [true, true],
    ]);
    const changes = createAppChanges({
      write: world.store.write,
      writeEvent: async () => {},
      now: () => new Date(),
    });
    await changes.endConnection(grantOf(access_token), 'theirs');
    expect(await list()).not.toContain('theirs');
    expect(await list()).toContain('mine/entries');
  });

  it('B-03 at an address with a trailing slash works the same', async () => {
    const { access_token } = await connect();
    await postForm(world, '/oauth/revoke', { client_id: client.clientId, token: access_token });
    for (const path of ['/mcp', '/mcp/']) {
      const response = await world.request(path, { method: 'POST', headers: bearer(access_token) });
      expect([path, response.status]).toEqual([path, 401]);
      expect(response.headers.get('www-authenticate')).toContain('invalid_token');
    }
  });
});

describe('expiry', () => {
  it('B-04 is the same everywhere, and turning the clock back does not undo it', async () => {
    const { access_token, expires_in } = await connect();
    expect(expires_in).toBe(3_600);
    const issued = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: issued + (expires_in - 10) * 1_000 });
    expect([await statusOf(world, access_token), await read(access_token)]).toEqual([200, 200]);
    vi.setSystemTime(issued + (expires_in + 1) * 1_000);
    // The grant goes on: the app is to get another token, so this is not "revoked" over REST either.
    expect([await statusOf(world, access_token), await read(access_token)]).toEqual([401, 401]);
    expect(await introspect(world, access_token)).toEqual({ active: false });
    vi.setSystemTime(issued);
    expect([await statusOf(world, access_token), await read(access_token)]).toEqual([401, 401]);
  });

  it('B-04 is never later than that of the grant, and expires_in says so', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const tokens = await connect({ expires: '1d' });
    vi.setSystemTime(Date.now() + 86_400_000 - 600_000);
    const late = (await (await client.refresh(tokens.refresh_token)).json()) as Tokens;
    expect(late.expires_in).toBeLessThanOrEqual(600);
    expect(late.expires_in).toBeGreaterThan(500);
    vi.setSystemTime(Date.now() + 601_000);
    expect(await statusOf(world, late.access_token)).toBe(401);
    const unlimited = world.store.write.raw
      .prepare(`select count(*) from tokens where payload is not null and expires_at is null`)
      .pluck();
    expect(unlimited.get()).toBe(0);
  });
});
