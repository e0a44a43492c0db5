import { describe, expect, it } from 'vitest';
import { createDirectServer } from '../../src/http/mcp/direct-call.ts';
import type { Caller } from '../../src/reads/admission.ts';
import type { RunRead } from '../../src/reads/run-read.ts';
import { schema } from '../../src/tools/schema.ts';
import { createDiaryWorld } from '../support/diary-world.ts';
import { post } from '../support/mcp-post.ts';
import { useWorld } from '../support/use-world.ts';

const world = await useWorld(createDiaryWorld());

const cancelled = (requestId: unknown) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
});

describe('notifications/cancelled', () => {
  const alice: Caller = { kind: 'owner', tokenHash: 'alice' };
  const bob: Caller = { kind: 'owner', tokenHash: 'bob' };

  /** Starts a call that ends only when it is aborted. */
  function start(server: ReturnType<typeof createDirectServer>, caller: Caller, id: string | number) {
    const abort = new AbortController();
    const answer = server.serve({ id, era: 'legacy', tool: schema }, caller, abort);
    return { abort, answer };
  }
  const waitForAbort = (async (_read: unknown, _input: unknown, _caller: unknown, { signal }: RunOptions) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return { text: '{}', body: {}, isError: true, status: 499, parts: {} };
  }) as unknown as RunRead;
  type RunOptions = { signal: AbortSignal };
  const createServer = () => createDirectServer(waitForAbort, '1', async () => {});

  it('aborts the call of the same caller and id', async () => {
    const server = createServer();
    const call = start(server, alice, 7);
    server.cancel(alice, 7);
    expect(call.abort.signal.aborted).toBe(true);
    expect(JSON.parse(await call.answer).id).toBe(7);
  });

  it('leaves calls of other callers and other ids running', () => {
    const server = createServer();
    const calls = [start(server, alice, 7), start(server, alice, '7'), start(server, bob, 8)];
    server.cancel(alice, 8);
    server.cancel(bob, 7);
    expect(calls.map(({ abort }) => abort.signal.aborted)).toEqual([false, false, false]);
  });

  it('cancels nothing when two programs with one token use the same id', () => {
    const server = createServer();
    const calls = [start(server, alice, 7), start(server, alice, 7)];
    server.cancel(alice, 7);
    expect(calls.map(({ abort }) => abort.signal.aborted)).toEqual([false, false]);
  });

  it.each([[7], ['x'], [null], [{ a: 1 }], [undefined]])('for the id %j is acknowledged', async (id) => {
    expect((await post(world, world.mine, cancelled(id))).status).toBe(202);
  });

  it('without parameters is no internal error', async () => {
    const { status } = await post(world, world.mine, { jsonrpc: '2.0', method: 'notifications/cancelled' });
    expect(status).toBeLessThan(500);
  });
});
