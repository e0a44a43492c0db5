import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fetch as fetchTool } from '../../src/tools/fetch.ts';
import { createDiaryWorld } from '../support/diary-world.ts';
import { LEGACY, post } from '../support/mcp-post.ts';

let world: Awaited<ReturnType<typeof createDiaryWorld>>;
/** How many runs of `fetch` there were, and the most that overlapped. */
let runs: { count: number; now: number; most: number; order: string[] };
beforeEach(async () => {
  world = await createDiaryWorld();
  runs = { count: 0, now: 0, most: 0, order: [] };
  const run = fetchTool.run;
  vi.spyOn(fetchTool, 'run').mockImplementation(async (input, context) => {
    runs.count += 1;
    runs.now += 1;
    runs.most = Math.max(runs.most, runs.now);
    runs.order.push((input as { id: string }).id);
    await sleep(5);
    runs.now -= 1;
    return run(input, context);
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  world.close();
});

const fetchCall = (id: number | string, record = 'mine/entries/one') => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'fetch', arguments: { id: record } },
});
const batch = (length: number) => Array.from({ length }, (_, id) => fetchCall(id));
const send = (token: string, body: unknown) => post(world, token, body, { 'mcp-protocol-version': LEGACY });

describe('a batch', () => {
  it('T-10 runs its messages one after another and answers each', async () => {
    const { status, messages } = await send(world.mine, batch(20));
    expect(status).toBe(200);
    expect(messages.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, id) => id));
    for (const { result } of messages) expect(result.structuredContent.id).toBe('mine/entries/one');
    expect(runs).toMatchObject({ count: 20, most: 1 });
  });

  it('runs one after another beside other requests of the same app', async () => {
    await Promise.all([
      send(world.mine, batch(5)),
      send(world.mine, batch(5)),
      send(world.mine, fetchCall(1)),
    ]);
    expect(runs).toMatchObject({ count: 11, most: 1 });
  });

  it('lets calls of other clients run in between', async () => {
    const under = send(world.mine, batch(20));
    const theirs = await send(world.theirs, fetchCall('other', 'theirs/entries/one'));
    expect(theirs.messages[0].result.structuredContent.id).toBe('theirs/entries/one');
    expect(runs.count).toBeLessThan(20);
    await under;
    // After the one that was running, and not at the end of the line.
    expect(runs.order.indexOf('theirs/entries/one')).toBeLessThan(4);
  });

  it('T-13 ends when the client disconnects, and the audit records it', async () => {
    const hangUp = new AbortController();
    const answer = world.request('/mcp', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${world.mine}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': LEGACY,
      },
      body: JSON.stringify(batch(20)),
      signal: hangUp.signal,
    });
    while (runs.count < 2) await sleep(1);
    hangUp.abort();
    await answer.then((response) => response.text()).catch(() => {});
    await sleep(50);
    expect(runs.count).toBeLessThan(5);
    const outcomes = world.store.audit.raw
      .prepare('select outcome, count(*) as n from audit group by outcome')
      .all();
    expect(outcomes).toEqual([
      { outcome: 'cancelled', n: 20 - runs.count },
      { outcome: 'ok', n: runs.count },
    ]);
    expect((await send(world.mine, fetchCall(1))).status).toBe(200);
  });

  it('answers all its messages when some of them are wrong', async () => {
    const { messages } = await send(world.mine, [
      fetchCall('first'),
      { jsonrpc: '2.0', id: 'no tool', method: 'tools/call', params: { name: 'nope' } },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      fetchCall('no record', 'mine/entries/nope'),
      { jsonrpc: '2.0', id: 'no method', method: 'nope' },
      { jsonrpc: '2.0', id: 'listen', method: 'subscriptions/listen', params: {} },
      fetchCall('last'),
    ]);
    const answers = Object.fromEntries(
      messages.map(({ id, result, error }) => [id, error?.code ?? result.isError ?? 'ok']),
    );
    expect(answers).toEqual({
      first: 'ok',
      'no tool': -32602,
      'no record': true,
      'no method': -32601,
      listen: -32601,
      last: 'ok',
    });
  });

  it('with one id for two messages is refused whole: one of them would go unanswered', async () => {
    expect((await send(world.mine, [fetchCall(1), fetchCall(2), fetchCall(1)])).status).toBe(400);
    expect(runs.count).toBe(0);
  });
});
