import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGrant, revokeGrant } from '../../src/grants/grant-store.ts';
import { toolList } from '../../src/http/mcp/tool-list.ts';
import { hashToken } from '../../src/secrets/token.ts';
import { canarySteps, canaryTerms, everyCall, openCanaryWorld } from '../support/canary-world.ts';
import { boxes, declare, letters } from '../support/granted-sources.ts';
import { usesFiles } from '../support/stores/engines.ts';
import { dumpTables, queryTables } from '../support/stores/tables.ts';
import { NOW } from '../support/world.ts';

let world: Awaited<ReturnType<typeof openCanaryWorld>>;
beforeEach(async () => {
  world = await openCanaryWorld();
});
afterEach(() => world.close());

const atMcp = async (token: string, method = 'tools/list') => (await world.rpc(token, method)).status;
const atRest = async (token: string) => {
  const response = await world.request('/v1/schema', { headers: { authorization: `Bearer ${token}` } });
  return {
    status: response.status,
    code: ((await response.json()) as { error?: { code: string } }).error?.code,
  };
};

describe('a grant that has ended', () => {
  it('is refused on the very next request after it is revoked (B-03)', async () => {
    const { grant, token } = await createGrant(
      world.store.write,
      { clientName: 'App', streams: [canaryTerms] },
      NOW,
    );
    expect(await atMcp(token)).toBe(200);
    expect(await atRest(token)).toMatchObject({ status: 200 });
    await revokeGrant(world.store.write, grant.grantId, NOW);
    expect(await atMcp(token)).toBe(401);
    expect(await atRest(token)).toEqual({ status: 403, code: 'grant_revoked' });
  });

  it('is refused from the moment it expires', async () => {
    const expiresAt = new Date(NOW.getTime() + 1_000);
    const { token } = await createGrant(
      world.store.write,
      { clientName: 'App', streams: [canaryTerms], expiresAt },
      NOW,
    );
    world.setNow(new Date(expiresAt.getTime() - 1));
    expect(await atMcp(token)).toBe(200);
    world.setNow(expiresAt);
    expect(await atMcp(token)).toBe(401);
    expect(await atRest(token)).toEqual({ status: 403, code: 'grant_revoked' });
  });
});

describe('an owner token', () => {
  it.each(['initialize', 'tools/list', 'tools/call', 'ping', 'server/discover', 'resources/list', 'zzz'])(
    'is refused at /mcp for %s',
    async (method) => {
      expect(await atMcp(await world.ownerToken(), method)).toBe(403);
    },
  );

  it.each(['GET', 'PUT', 'DELETE'])('is refused at /mcp with %s', async (method) => {
    const headers = { authorization: `Bearer ${await world.ownerToken()}` };
    expect((await world.request('/mcp', { method, headers })).status).toBe(403);
  });
});

describe('a client token', () => {
  it('G-16 is refused at the ingest endpoint, and nothing is stored', async () => {
    const before = await dumpTables(world.store);
    const response = await world.request('/v1/ingest/post_home/letters', {
      method: 'POST',
      headers: { authorization: `Bearer ${world.token}`, 'content-type': 'application/x-ndjson' },
      body: JSON.stringify({ key: 'new', emitted_at: '2026-11-01T00:00:00Z', data: { id: 'new' } }),
    });
    expect(response.status).toBe(403);
    expect(await dumpTables(world.store)).toBe(before);
  });

  it('G-16 changes no table, by any call', async () => {
    const before = await dumpTables(world.store);
    for (const [tool, all] of Object.entries(everyCall))
      for (const args of all) await world.call(world.token, tool, args);
    expect(await dumpTables(world.store)).toBe(before);
  });

  it('G-16 is offered tools that only read', () => {
    expect(toolList.map(({ annotations }) => annotations.readOnlyHint)).toEqual([
      true,
      true,
      true,
      true,
      true,
    ]);
  });

  // On PostgreSQL only snapshots are kept from writing: test/store/postgres/database.test.ts.
  if (usesFiles())
    it('G-16 reads through a connection that the database itself keeps from writing', async () => {
      const { db } = world.store.read;
      for (const table of ['records', 'grants', 'tokens', 'counters'])
        await expect(sql`delete from ${sql.table(table)}`.execute(db)).rejects.toThrow(/readonly/);
      await expect(sql`create table t (a)`.execute(db)).rejects.toThrow(/readonly/);
    });
});

describe('an unreadable row', () => {
  const changeGrant = (column: string, value: string) =>
    queryTables(world.store, `update grants set ${column} = ?`, value);
  const changeToken = (column: string, value: string, token = world.token) =>
    queryTables(world.store, `update tokens set ${column} = ? where token_hash = ?`, value, hashToken(token));

  it.each([
    ['is not JSON', 'canary'],
    ['is empty', '{}'],
    ['is of a later version', JSON.stringify({ version: '0.2.0', streams: [canaryTerms] })],
    [
      'has a part that is not known',
      JSON.stringify({ version: '0.1.0', streams: [canaryTerms], except: ['x'] }),
    ],
    [
      'has terms that are not known',
      JSON.stringify({ version: '0.1.0', streams: [{ ...canaryTerms, only: 'x' }] }),
    ],
    [
      'has a bound that is no number',
      JSON.stringify({ version: '0.1.0', streams: [{ ...canaryTerms, until: 'x' }] }),
    ],
  ])('B-06 grants nothing: a grant that %s', async (_, body) => {
    await changeGrant('body', body);
    expect([401, 403]).toContain(await atMcp(world.token));
    expect(await atRest(world.token)).toEqual({ status: 403, code: 'grant_revoked' });
  });

  it.each(['admin', 'OWNER', 'client ', ''])('B-06 grants nothing: a token of kind "%s"', async (kind) => {
    await changeToken('kind', kind);
    expect(await atMcp(world.token)).toBe(401);
    expect((await atRest(world.token)).status).toBe(401);
  });

  it('B-06 grants nothing: an expiry of a grant that is no time', async () => {
    await changeGrant('expires_at', 'soon');
    expect(await atMcp(world.token)).toBe(401);
  });

  it('B-06 grants nothing: an expiry of a token that is no time', async () => {
    const owner = await world.ownerToken();
    await changeToken('expires_at', 'soon');
    await changeToken('expires_at', 'soon', owner);
    expect(await atMcp(world.token)).toBe(401);
    expect((await atRest(owner)).status).not.toBe(200);
  });
});

describe('G-14 a newer declaration', () => {
  const readEverything = async () => {
    const answers = [];
    for (const [tool, all] of Object.entries(everyCall))
      for (const args of all)
        answers.push(JSON.stringify((await world.call(world.token, tool, args)).structuredContent));
    return answers.map((text) => text.replace(/"(request_id|next_\w+)":"[^"]*"/g, ''));
  };

  it('never widens a grant: what it adds stays hidden, also what was stored undeclared', async () => {
    const before = await readEverything();
    const wider = {
      ...letters,
      fields: { ...letters.fields, undeclared: 'string', added: 'text' } as const,
      searchable: ['undeclared', ...letters.searchable, 'folder'],
    };
    await world.addSource(
      declare('post', [{ ...letters, name: 'drafts', relations: [] }, wider, boxes], '2'),
      {
        post_new: 'A new connection',
      },
    );
    await world.ingest('post_home', 'letters', [
      { key: 'seen-1', data: { ...canarySteps[0]?.data, undeclared: 'canary', added: 'canary' } },
      { key: 'seen-new', data: { id: 'seen-new', sent_at: '2026-01-15T12:00:00Z', title: 'canary' } },
    ]);
    expect(await readEverything()).toEqual(before);
  });

  it.each([
    ['takes a field away', { title: undefined }],
    ['gives a field another type', { size: 'string' }],
    ['makes plain text of a time', { read_at: 'string' }],
  ])('is refused when it %s', async (_, change) => {
    const fields = Object.entries({ ...letters.fields, ...change }).filter(([, kind]) => kind !== undefined);
    const narrower = {
      ...letters,
      fields: Object.fromEntries(fields),
      searchable: ['body'],
    } as typeof letters;
    await expect(world.addSource(declare('post', [narrower, boxes], '2'), {})).rejects.toMatchObject({
      code: 'conflict',
    });
  });
});
