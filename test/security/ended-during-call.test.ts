import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createAudit } from '../../src/audit/audit.ts';
import { type Access, createAccessFinder } from '../../src/grants/grant.ts';
import { endConnection, revokeGrant } from '../../src/grants/grant-store.ts';
import { createFairQueue } from '../../src/limits/queue.ts';
import type { Caller } from '../../src/reads/admission.ts';
import { createPerformer, type GrantedRead } from '../../src/reads/granted-read.ts';
import { createReadRunner } from '../../src/reads/run-read.ts';
import { createDictionary } from '../../src/search/dictionary.ts';
import { createDiaryWorld } from '../support/diary-world.ts';
import { NOW, ORIGIN } from '../support/world.ts';

/** Longer than access may be used without a new look at the store. */
const WAIT_MS = 600;

const queue = createFairQueue(200, 2);
let world: Awaited<ReturnType<typeof createDiaryWorld>>;
afterEach(() => world.close());

async function open() {
  world = await createDiaryWorld({ queue });
  return world.grant([{ connection_id: 'mine' }, { connection_id: 'theirs' }]);
}

const message = (id: number) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'query_records', arguments: { stream: 'entries', connection_id: '*' } },
});

async function send(token: string, body: string | ReadableStream<Uint8Array>): Promise<string> {
  const response = await world.request('/mcp', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body,
    duplex: 'half',
  } as RequestInit);
  return response.text();
}

/** A body whose end arrives after a step. */
function arriveAfter(text: string, step: () => Promise<unknown>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async start(controller) {
      controller.enqueue(encoder.encode(text.slice(0, 10)));
      await sleep(WAIT_MS);
      await step();
      controller.enqueue(encoder.encode(text.slice(10)));
      controller.close();
    },
  });
}

describe('B-03 access that ends during a request', () => {
  it('ends a call whose body arrives slowly', async () => {
    const { grantId, token } = await open();
    const revoke = () => revokeGrant(world.store.write, grantId, NOW);
    const text = await send(token, arriveAfter(JSON.stringify(message(1)), revoke));
    expect(text).toContain('grant_revoked');
    expect(text).not.toContain('marker-');
  });

  it.each([1, 5])('ends %i calls that wait in the queue', async (count) => {
    const { grantId, token } = await open();
    const leave = await queue(grantId);
    const batch = Array.from({ length: count }, (_, at) => message(at));
    const answer = send(token, JSON.stringify(count === 1 ? batch[0] : batch));
    await sleep(WAIT_MS);
    await revokeGrant(world.store.write, grantId, NOW);
    leave();
    const text = await answer;
    expect(text.match(/\\"grant_revoked\\"/g)).toHaveLength(count);
    expect(text).not.toContain('marker-');
  });

  it('ends a call that waits when the grant expires', async () => {
    await open();
    const expires = new Date(NOW.getTime() + 60_000);
    const { grantId, token } = await world.grant([{ connection_id: 'mine' }], undefined, expires);
    const leave = await queue(grantId);
    const answer = send(token, JSON.stringify(message(1)));
    await sleep(WAIT_MS);
    world.setNow(new Date(expires.getTime() + 1));
    leave();
    expect(await answer).not.toContain('marker-');
  });

  it('hides a connection from a call that waited', async () => {
    const { grantId, token } = await open();
    const leave = await queue(grantId);
    const answer = send(token, JSON.stringify(message(1)));
    await sleep(WAIT_MS);
    await endConnection(world.store.write, grantId, 'theirs');
    leave();
    const text = await answer;
    expect(text).toContain('marker-mine');
    expect(text).not.toContain('theirs');
  });

  /** A read that reads at once and answers late. */
  const slow: GrantedRead<undefined, { streams: string[] }> = {
    name: 'schema',
    async run(_, { reader }) {
      const streams = reader.streams.map(({ connection }) => connection.connection_id);
      await sleep(WAIT_MS);
      return { body: { streams }, disclosure: { connectionIds: [], streams: [], fields: [], records: 0 } };
    },
  };
  async function runSlow(token: string) {
    const { store } = world;
    const dictionary = createDictionary(store.read.stored.words);
    const run = createReadRunner({
      perform: createPerformer({ store: store.read, cursorKey: store.cursorKey, dictionary, origin: ORIGIN }),
      enter: async () => () => {},
      audit: createAudit(store.audit),
      log: () => {},
      now: () => NOW,
    });
    const access: Access = await createAccessFinder(store.read, `${ORIGIN}/mcp`)(token, NOW);
    return run(slow, undefined, access as Caller, { surface: 'mcp' });
  }

  it('answers nothing from a running call', async () => {
    const { grantId, token } = await open();
    const answer = runSlow(token);
    await sleep(50);
    await revokeGrant(world.store.write, grantId, NOW);
    expect((await answer).body).toMatchObject({ error: { code: 'grant_revoked' } });
    expect(world.store.audit.raw.prepare('select outcome from audit').pluck().all()).toEqual([
      'grant_revoked',
    ]);
  });

  it('performs a running call again when the owner has ended a connection', async () => {
    const { grantId, token } = await open();
    const answer = runSlow(token);
    await sleep(50);
    await endConnection(world.store.write, grantId, 'theirs');
    expect((await answer).body).toEqual({ streams: ['mine', 'mine'] });
  });

  it('refuses a running call whose token was removed', async () => {
    const { token } = await open();
    const answer = runSlow(token);
    await sleep(50);
    world.store.write.raw.prepare('delete from tokens').run();
    expect((await answer).body).toMatchObject({ error: { code: 'unauthorized' } });
  });
});
