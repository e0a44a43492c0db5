import { describe, expect, it } from 'vitest';
import { anything, declare, declareStream, string, time } from '../support/declare.ts';
import { checkDrawn, type Draw } from '../support/draw.ts';
import { relaxSync } from '../support/stores/engines.ts';
import { useWorld } from '../support/use-world.ts';
import { createWorld } from '../support/world.ts';

const number = { type: 'number' };
const source = declare('ledger', [
  declareStream('lines', {
    fields: {
      id: string,
      at: time,
      kind: string,
      due: { type: 'string', format: 'date' },
      amount: number,
      count: { type: 'integer' },
      note: anything,
    },
    time: 'at',
  }),
]);

type Line = { id: string; kind?: string; due?: string; amount?: number; count?: string };

let told = 0;
const laid = new Map<string, Set<string>>();
const world = await useWorld(createWorld());
relaxSync(world.store);
await world.addSource(source, { one: 'One', two: 'Two' });
// The time by which the rows lie is not granted.
const fields = ['id', 'kind', 'due', 'amount', 'count'];
const token = (
  await world.grant(['one', 'two'].map((connection_id) => ({ connection_id, stream: 'lines', fields })))
).token;

/** The lines at hidden times in this order, and nothing else. */
async function lay(lines: readonly Line[], connection = 'one'): Promise<void> {
  const emit = () => new Date(Date.UTC(2026, 1, 1) + ++told).toISOString();
  const puts = lines.map((line, at) => ({
    key: line.id,
    emitted_at: emit(),
    data: { ...line, at: new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString() },
  }));
  const write = (line: object) => JSON.stringify(line).replace(/"#([^#]+)#"/g, '$1');
  const keys = new Set(lines.map((line) => line.id));
  const gone = [...(laid.get(connection) ?? [])].filter((key) => !keys.has(key));
  laid.set(connection, keys);
  const deletes = gone.map((key) => ({ key, op: 'delete', emitted_at: emit() }));
  const report = await world.ingest(connection, 'lines', [...deletes, ...puts].map(write));
  expect(report.refused).toBe(0);
}

async function ask(args: object, connection_id = 'one') {
  const result = await world.call(token, 'aggregate', { stream: 'lines', connection_id, ...args });
  expect(result.isError, JSON.stringify(result.structuredContent)).not.toBe(true);
  return result.structuredContent.data;
}

const toLines = (amounts: readonly number[]): Line[] =>
  amounts.map((amount, at) => ({ id: `k${at}`, amount }));

function* permute<T>(items: readonly T[]): Generator<T[]> {
  if (items.length === 0) yield [];
  for (const [at, item] of items.entries())
    for (const rest of permute(items.toSpliced(at, 1))) yield [item, ...rest];
}

describe('sums', () => {
  it('G-09 of 1e100, 1e50, 1, -1e100, -1e50 are 1, however a hidden time orders them', async () => {
    const lines = toLines([1e100, 1e50, 1, -1e100, -1e50]);
    for (const order of permute(lines)) {
      await lay(order);
      expect(await ask({ metric: 'sum', field: 'amount' })).toMatchObject({ total: 1, records: 5 });
      expect((await ask({ metric: 'avg', field: 'amount' })).value).toBe(0.2);
    }
  });

  it('are exact where every step of adding is, and where the whole is beyond any single step', async () => {
    const sum = async (amounts: number[], metric = 'sum') => {
      await lay(toLines(amounts));
      const answer = await ask({ metric, field: 'amount' });
      return metric === 'avg' ? answer.value : answer.total;
    };
    expect(await sum([0.1, 0.2, 0.3])).toBe(0.6);
    expect(await sum([12.34, 1e9, 0.01])).toBe(1000000012.35);
    expect(await sum([2 ** 53, 1, 1])).toBe(2 ** 53 + 2);
    expect(await sum([1e308, 1e308, -1e308])).toBe(1e308);
    expect(await sum([5e-324, -5e-324, 1e300, -1e300, 0.5])).toBe(0.5);
    expect(await sum([])).toBe(0);
    expect(await sum([], 'avg')).toBe(null);
  });

  it('beyond the largest number are null, while their mean is one', async () => {
    await lay(toLines([1.5e308, 1.5e308]));
    expect((await ask({ metric: 'sum', field: 'amount' })).total).toBe(null);
    expect((await ask({ metric: 'avg', field: 'amount' })).value).toBe(1.5e308);
  });

  it('of whole numbers beyond 2^53 keep every digit until they are shown', async () => {
    const line = (id: string, digits: string) =>
      `{"key":"${id}","emitted_at":"2026-01-02T00:00:00Z","data":{"id":"${id}","at":"2026-01-01T00:00:00Z","count":${digits}}}`;
    await lay([]);
    laid.set('one', new Set(['a', 'b', 'c']));
    await world.ingest('one', 'lines', [
      line('a', '9007199254740993'),
      line('b', '-9007199254740992'),
      line('c', '1'),
    ]);
    expect((await ask({ metric: 'sum', field: 'count' })).total).toBe(2);
  });
});

/** Large ones that cancel over middle ones that cancel over small ones, and money beside them. */
function drawAmounts(draw: Draw): number[] {
  const [large, middle] = [draw.pick([1e100, 1e300, 2 ** 1000]), draw.pick([1e50, 1e30, 1e20])];
  const small = Array.from({ length: 1 + draw.upTo(2) }, () => draw.upTo(20_000) / 100 - 100);
  return [large, middle, ...small, -large, -middle];
}

/** Numbers as they stand in the line: equal ones that are not stored alike. */
const COUNTS = ['1', '1e16', '10000000000000000', '9007199254740993'];

const requests = [
  { metric: 'sum', field: 'amount' },
  { metric: 'avg', field: 'amount' },
  { metric: 'min', field: 'amount' },
  { metric: 'max', field: 'amount' },
  { metric: 'min', field: 'count' },
  { metric: 'max', field: 'count' },
  { metric: 'count_distinct', field: 'amount' },
  { metric: 'sum', field: 'amount', group_by: ['kind'] },
  { metric: 'sum', field: 'amount', group_by: ['kind'], limit: 1 },
  { metric: 'sum', field: 'amount', group_by: ['kind'], sort: 'value', limit: 2 },
  { metric: 'avg', field: 'amount', group_by: ['kind', 'due'], limit: 3 },
  { group_by: ['count'] },
  { metric: 'sum', field: 'amount', group_by: ['due'], interval: 'month' },
  { metric: 'sum', field: 'amount', group_by: ['due'], interval: 'day', sort: '-value', limit: 2 },
  { metric: 'avg', field: 'amount', group_by: ['due'], interval: 'month', sort: 'value' },
];

describe('aggregates', () => {
  it('G-09 are the same for every order of a hidden time, wide floats and several connections included', async () => {
    await checkDrawn({ runs: 8, seed: 7 }, async (draw) => {
      const lines = ['a', 'b', 'c', 'd'].flatMap((kind) =>
        drawAmounts(draw).map(
          (amount, at): Line => ({
            id: `${kind}${at}`,
            amount,
            kind,
            due: draw.chance(80) ? '2026-01-01' : draw.pick(['2026-01-02', '2026-02-01']),
            count: `#${draw.pick(COUNTS)}#`,
          }),
        ),
      );
      const cut = lines.findIndex((line) => line.kind === 'c');
      let answers: string | undefined;
      for (let round = 0; round < 4; round++) {
        const [one, two] = [draw.shuffle(lines.slice(0, cut)), draw.shuffle(lines.slice(cut))];
        await lay(one, 'one');
        await lay(two, 'two');
        const found = [];
        for (const request of requests) found.push(await ask(request, 'one'), await ask(request, '*'));
        answers ??= JSON.stringify(found);
        expect(JSON.stringify(found)).toBe(answers);
      }
    });
  }, 120_000);
});
