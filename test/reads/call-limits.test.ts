import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createToken, hashToken } from '../../src/secrets/token.ts';
import { createDiaryWorld } from '../support/diary-world.ts';
import { LEGACY, post, postLegacy, postModern } from '../support/mcp-post.ts';
import { createOwnerBrowser } from '../support/oauth-client.ts';
import { NOW, ORIGIN } from '../support/world.ts';

const fetchOne = { name: 'fetch', arguments: { id: 'mine/entries/one' } };
let world: Awaited<ReturnType<typeof createDiaryWorld>>;
afterEach(() => world.close());

const later = (seconds: number) => world.setNow(new Date(NOW.getTime() + seconds * 1_000));
const call = (token: string) => postModern(world, token, 'tools/call', fetchOne);
const rest = (token: string) =>
  world.request('/v1/streams/entries/records/one?connection_id=mine', {
    headers: { authorization: `Bearer ${token}` },
  });
const outcomes = () =>
  Object.fromEntries(
    (
      world.store.audit.raw.prepare('select outcome, count(*) as n from audit group by outcome').all() as {
        outcome: string;
        n: number;
      }[]
    ).map(({ outcome, n }) => [outcome, n]),
  );
/** One more token of the same grant, as a second process on one sign-in has it. */
function addToken(token: string): string {
  const other = createToken();
  world.store.write.raw
    .prepare(
      'insert into tokens (token_hash, kind, grant_id, created_at) select ?, kind, grant_id, created_at from tokens where token_hash = ?',
    )
    .run(hashToken(other), hashToken(token));
  return other;
}

describe('calls without end', () => {
  beforeEach(async () => {
    // Of these a token may use half: 60 a minute, ten at once.
    world = await createDiaryWorld({ callRule: { callsPerMinute: 120, workSecondsPerMinute: 0 } });
  });

  it('R-02 over MCP get a tool error in both channels that says how long to wait, and waiting helps', async () => {
    for (let i = 0; i < 10; i += 1)
      expect((await call(world.mine)).messages[0].result.isError).toBeUndefined();
    for (const send of [postModern, postLegacy]) {
      const { status, messages } = await send(world, world.mine, 'tools/call', fetchOne);
      const { isError, structuredContent, content } = messages[0].result;
      expect([status, isError]).toEqual([200, true]);
      expect(structuredContent.error).toMatchObject({
        code: 'too_many_requests',
        retry_after_seconds: 1,
        hint: expect.stringMatching(/^Try again in 1 second\./),
      });
      expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }]);
    }
    later(1);
    expect((await call(world.mine)).messages[0].result.isError).toBeUndefined();
    expect((await call(world.mine)).messages[0].result.isError).toBe(true);
  });

  it('R-02 for records that are picked count like calls of a tool, each once', async () => {
    const uri = `${ORIGIN}/r/mine/entries/one`;
    const pick = async () => (await postModern(world, world.mine, 'resources/read', { uri })).messages[0];
    for (let i = 0; i < 10; i += 1) expect((await pick()).error).toBeUndefined();
    expect((await pick()).error).toMatchObject({
      code: -32600,
      data: { code: 'too_many_requests', retry_after_seconds: 1 },
    });
  });

  it('R-02 over REST get 429 with Retry-After, and the same seconds in the body', async () => {
    for (let i = 0; i < 10; i += 1) expect((await rest(world.mine)).status).toBe(200);
    const refused = await rest(world.mine);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect(await refused.json()).toMatchObject({
      error: {
        code: 'too_many_requests',
        retry_after_seconds: 1,
        request_id: expect.stringMatching(/^req_/),
      },
    });
    later(1);
    expect((await rest(world.mine)).status).toBe(200);
  });

  it('R-02 by one app change nothing for another', async () => {
    const quiet = await call(world.theirs);
    for (let i = 0; i < 60; i += 1) await call(world.mine);
    const beside = await call(world.theirs);
    const withoutIds = (text: string) => text.replace(/req_\w+/g, 'req');
    expect(withoutIds(beside.text)).toBe(withoutIds(quiet.text));
    expect([...beside.headers]).toEqual([...quiet.headers]);
  });

  it('R-02 by one token leave half to the others of its grant, and all of them share what the grant has', async () => {
    const served = async (token: string) => {
      let count = 0;
      for (let i = 0; i < 15; i += 1) if ((await rest(token)).status === 200) count += 1;
      return count;
    };
    const second = addToken(world.mine);
    const third = addToken(world.mine);
    expect([await served(world.mine), await served(second), await served(third)]).toEqual([10, 10, 0]);
    expect(await served(await world.ownerToken())).toBe(15);
  });

  it('T-10 R-02 count each message of a batch, and messages that run no tool', async () => {
    const batch = Array.from({ length: 12 }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: fetchOne,
    }));
    const { messages } = await post(world, world.mine, batch, { 'mcp-protocol-version': LEGACY });
    expect(messages.filter(({ result }) => result.isError)).toHaveLength(2);
    for (let i = 0; i < 10; i += 1)
      expect((await postModern(world, world.theirs, 'tools/list')).status).toBe(200);
    const refused = await postModern(world, world.theirs, 'tools/list');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  });

  it('R-02 that ignore the wait are refused before they are read, and write a bounded log', async () => {
    for (let i = 0; i < 500; i += 1) await call(world.mine);
    expect(outcomes()).toEqual({ ok: 10, too_many_requests: 20 });
    const unread = await post(world, world.mine, 'x'.repeat(300 * 1024));
    expect([unread.status, unread.headers.get('retry-after')]).toEqual([429, '1']);
    expect(unread.messages[0].error).toMatchObject({ code: 'too_many_requests', retry_after_seconds: 1 });
    expect((await rest(world.mine)).status).toBe(429);
    const slowed = world.store.audit.raw
      .prepare(`select grant_id, client from events where kind = 'rate_limited'`)
      .all();
    expect(slowed).toEqual([{ grant_id: expect.any(String), client: 'Test app' }]);
    // Whoever calls a little too often is served as often as is allowed, all the same.
    later(5);
    expect((await call(world.mine)).messages[0].result.isError).toBeUndefined();
  });

  it('are counted for the owner’s tokens too, but not for the owner’s pages', async () => {
    const owner = await world.ownerToken();
    let refused = 0;
    for (let i = 0; i < 25; i += 1) if ((await rest(owner)).status === 429) refused += 1;
    expect(refused).toBe(5);
    const browser = await createOwnerBrowser(world);
    for (let i = 0; i < 25; i += 1) expect((await browser.open('/dashboard/data')).status).toBe(200);
  });

  it('R-02 are reset by a clock that jumps ahead, and cause no longer wait when it is turned back', async () => {
    for (let i = 0; i < 10; i += 1) await call(world.mine);
    later(72 * 3_600);
    for (let i = 0; i < 11; i += 1) await rest(world.mine);
    later(0);
    const refused = await rest(world.mine);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    later(1);
    expect((await rest(world.mine)).status).toBe(200);
  });
});

describe('work without end', () => {
  it('R-02 is charged when it is done: a heavy call delays the next one, for a minute at most', async () => {
    // Any call takes longer than this, and overdraws as far as one can.
    world = await createDiaryWorld({ callRule: { callsPerMinute: 0, workSecondsPerMinute: 1e-6 } });
    expect((await rest(world.mine)).status).toBe(200);
    const refused = await rest(world.mine);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    expect((await call(world.theirs)).messages[0].result.structuredContent.error.code).toBe('not_found');
    later(59);
    expect((await rest(world.mine)).status).toBe(429);
    later(60);
    expect((await rest(world.mine)).status).toBe(200);
  });

  it('R-02 of the first messages of a batch delays the later ones', async () => {
    world = await createDiaryWorld({ callRule: { callsPerMinute: 0, workSecondsPerMinute: 1e-6 } });
    const batch = Array.from({ length: 4 }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: fetchOne,
    }));
    const { messages } = await post(world, world.mine, batch, { 'mcp-protocol-version': LEGACY });
    expect(messages.map(({ result }) => result.isError ?? false)).toEqual([false, true, true, true]);
  });
});
