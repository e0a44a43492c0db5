import { afterAll, describe, expect, it, vi } from 'vitest';
import { createPerformer } from '../../src/reads/granted-read.ts';
import { findStream, loadCatalog } from '../../src/schema-index/catalog.ts';
import { aggregate } from '../../src/tools/aggregate.ts';
import { createReadPool } from '../../src/workers/read-pool.ts';
import { clubSource, member } from '../support/club-source.ts';
import { declare, declareStream, string } from '../support/declare.ts';
import { threads } from '../support/processes/record-threads.ts';
import { useWorld } from '../support/use-world.ts';
import { createWorld, NOW, ORIGIN } from '../support/world.ts';

vi.mock('node:worker_threads', async (load) =>
  (await import('../support/processes/record-threads.ts')).recordThreads(load),
);

const ROWS = 250_000;
const DEADLINE_MS = 10;
const GRACE_MS = 200;

/** A stream whose time is a date, so that its times are few and far between. */
const ledgerSource = declare('ledger', [
  declareStream('lines', {
    fields: {
      id: string,
      account: string,
      amount: { type: 'number' },
      day: { type: 'string', format: 'date' },
    },
    time: 'day',
  }),
]);

const world = await useWorld(createWorld());
world.store.write.raw.pragma('synchronous = off');
await world.addSource(clubSource, { north: 'Club' });
await world.addSource(ledgerSource, { book: 'Ledger' });
await world.ingest(
  'north',
  'members',
  Array.from({ length: 50 }, (_, at) => member(`m${at}`, `Name ${at % 7}`)),
);
const catalog = await loadCatalog(world.store.read);
await fillStream('north', 'payments', (slot) => ({
  t: '1600000000000 + i * 61013',
  [slot('member_id')]: `'m' || (i % 60)`,
  [slot('currency')]: `'EUR'`,
  [slot('id')]: `'p' || i`,
  [slot('amount')]: `(i % 1000) / 8.0`,
}));
await fillStream('book', 'lines', (slot) => ({
  t: '(10000 + i / 200) * 86400000',
  [slot('account')]: `'account ' || (i % 977)`,
  [slot('amount')]: `(i % 1000) / 8.0`,
}));

/** Fills the columns of a stream by their SQL, where i is the number of the row: importing would take minutes. */
async function fillStream(
  connection: string,
  name: string,
  columns: (slot: (field: string) => string) => Record<string, string>,
): Promise<void> {
  const stream = findStream(catalog, connection, name);
  if (stream === undefined) throw new Error('no stream');
  const values = columns((field) => `s${stream.plan.slots[field]}`);
  world.store.write.raw.exec(`
    insert into facets (stream_id, key, rid, ${Object.keys(values).join(', ')})
    with recursive n(i) as (select 0 union all select i + 1 from n where i < ${ROWS - 1})
    select ${stream.streamId}, 'k' || i, i, ${Object.values(values).join(', ')} from n`);
}

const dictionary = { findSimilar: async () => [], findContaining: async () => [] };
const here = createPerformer({
  store: world.store.read,
  cursorKey: world.store.cursorKey,
  origin: ORIGIN,
  dictionary,
});
const pool = createReadPool({
  directory: world.store.directory,
  cursorKey: world.store.cursorKey,
  origin: ORIGIN,
  size: 1,
  deadlineMs: DEADLINE_MS,
});
afterAll(() => pool.close());
const perform = pool.createPerform(here, dictionary);
const options = { grant: undefined, requestId: 'req_1', now: NOW };

const payments = { stream: 'payments' };
const sum = { metric: 'sum', field: 'amount' } as const;
const from = (year: number) => ({ gte: `${year}-01-01` });
const shapes: [string, object][] = [
  ['a total', { ...payments, ...sum }],
  ['a mean', { ...payments, ...sum, metric: 'avg' }],
  ['distinct values', { ...payments, metric: 'count_distinct', field: 'member_id' }],
  ['a sum by field', { ...payments, ...sum, group_by: ['member_id'] }],
  ['a count by field', { ...payments, group_by: ['member_id'] }],
  ['a maximum by field', { ...payments, ...sum, metric: 'max', group_by: ['currency'] }],
  [
    'distinct values by field',
    { ...payments, metric: 'count_distinct', field: 'member_id', group_by: ['currency'] },
  ],
  ['a sum by two fields', { ...payments, ...sum, group_by: ['member_id', 'currency'] }],
  ['a sum by related field', { ...payments, ...sum, group_by: ['member.name'] }],
  ['a sum by month', { ...payments, ...sum, interval: 'month', sort: '-value' }],
  ['a sum by month and field', { ...payments, ...sum, interval: 'month', group_by: ['member_id'] }],
  ['a count by weekday', { ...payments, interval: 'weekday' }],
  ['a count by hour of day', { ...payments, interval: 'hour_of_day' }],
  ['overlapping ranges', { ...payments, ...sum, ranges: { a: from(2001), b: from(2002), c: from(2003) } }],
  ['a filter on text', { ...payments, filter: { id: { contains: 'nothing' } } }],
  ['a sum over dates', { stream: 'lines', ...sum }],
  ['a sum by field over dates', { stream: 'lines', ...sum, group_by: ['account'] }],
];

describe('an aggregate past its deadline', () => {
  it.each(shapes)('stops: %s', async (_, input) => {
    const runs: { lateMs: number; code: string; wasReplaced: boolean }[] = [];
    // The machine may be busy, and then all threads are late: one run in time is enough.
    for (let run = 0; run < 4; run++) {
      await perform(aggregate, { stream: 'members' }, options).catch(() => {});
      const before = { at: performance.now(), threads: threads.length };
      const code = await perform(aggregate, input as never, options).then(
        () => 'answered',
        (error) => error.code,
      );
      runs.push({
        lateMs: performance.now() - before.at - DEADLINE_MS,
        code,
        wasReplaced: threads.length > before.threads,
      });
      const { lateMs, wasReplaced } = runs.at(-1) as (typeof runs)[number];
      if (lateMs < GRACE_MS && !wasReplaced) break;
    }
    const last = runs.at(-1);
    expect(last?.code).toBe('timeout');
    expect(last?.lateMs).toBeLessThan(GRACE_MS);
    expect(last?.wasReplaced).toBe(false);
  });

  it('is answered in time even while it sorts more groups than fit in memory', async () => {
    const started = performance.now();
    const input = { ...payments, ...sum, group_by: ['id'] };
    await expect(perform(aggregate, input, options)).rejects.toMatchObject({ code: 'timeout' });
    expect(performance.now() - started - DEADLINE_MS).toBeLessThan(GRACE_MS);
  });
});
