import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { createAccessFinder } from '../../src/grants/access.ts';
import type { Grant } from '../../src/grants/grant.ts';
import { createPerformer } from '../../src/reads/perform-read.ts';
import { createDictionary } from '../../src/search/dictionary.ts';
import { aggregate } from '../../src/tools/aggregate.ts';
import { tools } from '../../src/tools/index.ts';
import { MAX_GRANTS } from '../../src/workers/messages.ts';
import { createReadPool, type ReadPoolOptions } from '../../src/workers/read-pool.ts';
import { entry } from '../support/diary-source.ts';
import { createDiaryWorld } from '../support/diary-world.ts';
import { createDraw } from '../support/draw.ts';
import { useWorld } from '../support/use-world.ts';
import { NOW, ORIGIN } from '../support/world.ts';

/** The threads of all pools, so that a test can end one from outside. */
const threads: Worker[] = [];
vi.mock('node:worker_threads', async (load) => {
  const original = await load<typeof import('node:worker_threads')>();
  class RecordedWorker extends original.Worker {
    constructor(...options: ConstructorParameters<typeof Worker>) {
      super(...options);
      threads.push(this);
    }
  }
  return { ...original, Worker: RecordedWorker };
});

const world = await useWorld(createDiaryWorld());
const { store } = world;
const lines = Array.from({ length: 30_000 }, (_, i) =>
  entry(`bulk-${i}`, {
    title: `t${i % 977}`,
    body: `harbour letter ${i % 1_009}`,
    created_at: new Date(Date.UTC(2024, 0, 1) + i * 1_013_000).toISOString(),
  }),
);
await world.ingest('theirs', 'entries', lines);

const dictionary = createDictionary(store.read.stored.words);
const here = createPerformer({ store: store.read, cursorKey: store.cursorKey, origin: ORIGIN, dictionary });
const findAccess = createAccessFinder(store.read, `${ORIGIN}/mcp`);
async function findGrant(token: string): Promise<Grant> {
  const access = await findAccess(token, NOW);
  if (access.kind !== 'client') throw new Error('no grant');
  return access.grant;
}
const mine = await findGrant(world.mine);
const theirs = await findGrant(world.theirs);

const pools: { close(): Promise<void> }[] = [];
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
});
function createPool(options: Partial<ReadPoolOptions> = {}) {
  const pool = createReadPool({
    directory: store.directory,
    cursorKey: store.cursorKey,
    origin: ORIGIN,
    size: 2,
    deadlineMs: 30_000,
    ...options,
  });
  pools.push(pool);
  return pool.createPerform(here, dictionary);
}

const options = (grant: Grant | undefined) => ({ grant, requestId: 'req_1', now: NOW });
const find = (name: string) => tools.find((tool) => tool.name === name) as (typeof tools)[number];
const heavy = { stream: 'entries', metric: 'count', group_by: ['title'] };

describe('a tool in a worker', () => {
  const perform = createPool();
  const calls: [string, object][] = [
    ['schema', {}],
    ['schema', { stream: 'entries' }],
    ['query_records', { stream: 'entries', limit: 5, sort: 'created_at' }],
    ['aggregate', { stream: 'entries', metric: 'count', group_by: ['title'] }],
    ['search', { query: 'marker' }],
    ['search', { query: 'harbuor leter' }],
    ['fetch', { id: 'mine/entries/one' }],
  ];

  it.each(calls)('answers %s %j as the main thread does', async (name, input) => {
    for (const grant of [mine, undefined, theirs, mine]) {
      const outcomes = await Promise.allSettled([
        here(find(name), input, options(grant)),
        perform(find(name), input, options(grant)),
      ]);
      const [expected, actual] = outcomes.map((one) =>
        one.status === 'rejected'
          ? { refused: [one.reason.code, one.reason.message, one.reason.hint, one.reason.details] }
          : {
              ...withoutCursor(one.value.text),
              disclosure: one.value.disclosure,
              tokens: typeof one.value.tokens,
            },
      );
      expect(actual).toEqual(expected);
    }
  });

  it('refuses with the same typed error', async () => {
    const refusal = await perform(find('query_records'), { stream: 'entires' }, options(mine)).catch(
      (e) => e,
    );
    const expected = await here(find('query_records'), { stream: 'entires' }, options(mine)).catch((e) => e);
    expect(refusal).toBeInstanceOf(AppError);
    expect([refusal.code, refusal.message, refusal.hint, refusal.details, refusal.parts]).toEqual([
      expected.code,
      expected.message,
      expected.hint,
      expected.details,
      expected.parts,
    ]);
  });

  it('sees what was stored before the call', async () => {
    for (let i = 0; i < 5; i++) {
      await world.ingest('mine', 'entries', [entry(`fresh-${i}`, { title: 'Fresh', body: 'x' })]);
      const { body } = await perform(find('fetch'), { id: `mine/entries/fresh-${i}` }, options(mine));
      expect(JSON.stringify(body)).toContain('Fresh');
    }
  });
});

describe('more grants than a worker remembers', () => {
  it('are served, also when one returns', async () => {
    const perform = createPool({ size: 1 });
    const grants = Array.from({ length: 2 * MAX_GRANTS + 5 }, () => ({ ...mine }));
    const expected = await here(find('schema'), {}, options(mine));
    for (const [at, grant] of grants.entries()) {
      // The first grant since the worker forgot all is the first that it could have lost.
      const known = grants[at - (at % MAX_GRANTS)] as Grant;
      for (const one of [grant, known])
        expect((await perform(find('schema'), {}, options(one))).text).toBe(expected.text);
    }
  });
});

describe('a call past its deadline', () => {
  it('is refused with timeout soon after it, and its worker serves the next call', async () => {
    const perform = createPool({ size: 1, deadlineMs: 1 });
    await perform(find('schema'), {}, options(mine)).catch(() => {});
    const started = { at: performance.now(), threads: threads.length };
    const refusal = await perform(aggregate, heavy, options(theirs)).catch((error) => error);
    expect(refusal.code).toBe('timeout');
    expect(refusal.hint).toContain('filter');
    expect(performance.now() - started.at).toBeLessThan(2_000);
    // Only a call that is faster than its deadline is answered.
    const next = await perform(find('schema'), {}, options(mine)).catch((error) => error);
    expect(next.text ?? next.code).toMatch(/entries|timeout/);
    expect(threads.length).toBe(started.threads);
  });
});

describe('a caller that goes', () => {
  it('frees the worker', async () => {
    const perform = createPool({ size: 1 });
    await perform(find('schema'), {}, options(mine));
    const abort = new AbortController();
    const running = perform(aggregate, heavy, { ...options(theirs), signal: abort.signal });
    const outcome = running.then(
      () => 'ok',
      (error) => error.code,
    );
    await sleep(5);
    abort.abort();
    const next = await perform(find('fetch'), { id: 'mine/entries/one' }, options(mine));
    expect(next.text).toContain('mine one');
    expect(['cancelled', 'ok']).toContain(await outcome);
  });

  it('is refused before its call begins', async () => {
    const perform = createPool({ size: 1 });
    const signal = AbortSignal.abort();
    await expect(perform(find('schema'), {}, { ...options(mine), signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
  });
});

describe('a worker that dies', () => {
  it('loses no answer: each call is answered or refused', async () => {
    const perform = createPool({ size: 2 });
    const draw = createDraw(1);
    await perform(find('schema'), {}, options(mine));
    const expected = await here(find('schema'), { stream: 'entries' }, options(theirs));
    for (let round = 0; round < Number(process.env.PDPP_ROUNDS ?? 20); round++) {
      const calls = Array.from({ length: 4 }, () =>
        perform(find('schema'), { stream: 'entries' }, options(theirs)).then(
          ({ text }) => text,
          (error: Error) => `refused: ${error.message}`,
        ),
      );
      await sleep(draw.upTo(20));
      const last = threads.at(-1 - draw.upTo(1));
      void last?.terminate();
      for (const answer of await Promise.all(calls)) expect([expected.text]).toContain(answer);
    }
  });
});

function withoutCursor(text: string): Record<string, unknown> {
  const { next_cursor: _, changes_since: __, ...rest } = JSON.parse(text);
  return rest;
}
