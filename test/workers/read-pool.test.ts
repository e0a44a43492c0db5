import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { createAccessFinder, type Grant } from '../../src/grants/grant.ts';
import { createPerformer, type GrantedRead, type PerformRead } from '../../src/reads/granted-read.ts';
import { createDictionary } from '../../src/search/dictionary.ts';
import { aggregate } from '../../src/tools/aggregate.ts';
import { tools } from '../../src/tools/index.ts';
import { connectionPage, dataPage } from '../../src/views/data.ts';
import { recordsPage } from '../../src/views/records.ts';
import { csvChunk } from '../../src/views/records-csv.ts';
import { searchPage } from '../../src/views/search-hits.ts';
import { MAX_GRANTS } from '../../src/workers/messages.ts';
import { createReadPool, type ReadPoolOptions } from '../../src/workers/read-pool.ts';
import { entry } from '../support/diary-source.ts';
import { createDiaryWorld } from '../support/diary-world.ts';
import { createDraw } from '../support/draw.ts';
import { threads } from '../support/processes/record-threads.ts';
import { useWorld } from '../support/use-world.ts';
import { NOW, ORIGIN } from '../support/world.ts';

vi.mock('node:worker_threads', async (load) =>
  (await import('../support/processes/record-threads.ts')).recordThreads(load),
);

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
async function findAccessGrant(token: string): Promise<Grant> {
  const access = await findAccess(token, NOW);
  if (access.kind !== 'client') throw new Error('no grant');
  return access.grant;
}
const mine = await findAccessGrant(world.mine);
const theirs = await findAccessGrant(world.theirs);

const pools: { close(): Promise<void> }[] = [];
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
});
function createPool(options: Partial<ReadPoolOptions> = {}, performHere: PerformRead = here) {
  const pool = createReadPool({
    directory: store.directory,
    cursorKey: store.cursorKey,
    origin: ORIGIN,
    size: 2,
    deadlineMs: 30_000,
    ...options,
  });
  pools.push(pool);
  return pool.createPerform(performHere, dictionary);
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

  it.each<[string, GrantedRead<never, object>, object]>([
    ['the overview', dataPage, {}],
    ['a connection', connectionPage, { connectionId: 'mine' }],
    ['the list of a stream', recordsPage, { connection_id: 'mine', stream: 'entries' }],
    ['a search', searchPage, { query: 'marker' }],
  ])('shows the page of %s as the main thread does', async (_, page, input) => {
    const performNowhere = () => Promise.reject(new Error('the page ran in the main thread'));
    const inWorker = createPool({ size: 1 }, performNowhere);
    const [expected, actual] = await Promise.all(
      [here, inWorker].map((perform) => perform(page, input as never, options(undefined))),
    );
    expect(withoutCursor(actual?.text ?? '')).toEqual(withoutCursor(expected?.text ?? ''));
    expect(actual?.disclosure).toEqual(expected?.disclosure);
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

describe('a CSV export in a worker', () => {
  it('has the same chunks as in the main thread', async () => {
    const perform = createPool({ size: 1 });
    const list = { connection_id: 'theirs', stream: 'entries', sort: '-created_at' };
    const started = threads.length;
    let cursor: string | undefined;
    for (let chunk = 0; chunk === 0 || cursor !== undefined; chunk++) {
      const input = cursor === undefined ? list : { ...list, cursor };
      const [expected, actual] = await Promise.all([
        here(csvChunk, input, options(undefined)),
        perform(csvChunk, input, options(undefined)),
      ]);
      expect(actual.body.text).toBe(expected.body.text);
      expect(actual.disclosure).toEqual(expected.disclosure);
      cursor = actual.body.next ?? undefined;
    }
    expect(threads.length).toBe(started + 1);
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

describe('threads without calls', () => {
  it('end after a while where this was asked for, and start again with the next call', async () => {
    const perform = createPool({ size: 1, idleMs: 50 });
    const before = threads.length;
    const first = await perform(find('schema'), {} as never, options(mine));
    const thread = threads[before];
    await vi.waitFor(() => expect(thread?.threadId).toBe(-1), { timeout: 5_000 });
    const next = await perform(find('schema'), {} as never, options(mine));
    expect(next.text).toBe(first.text);
    expect(threads.length - before).toBe(2);
  });

  it('do not end during a call that takes longer', async () => {
    const perform = createPool({ size: 2, idleMs: 5 });
    await perform(find('schema'), {} as never, options(mine));
    const running = perform(aggregate, heavy as never, options(theirs));
    await expect(running).resolves.toHaveProperty('text');
  });
});
