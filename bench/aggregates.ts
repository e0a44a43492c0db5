import { createPerformer } from '../src/reads/granted-read.ts';
import { openReadStore } from '../src/store/sqlite/open-store.ts';
import { aggregate } from '../src/tools/aggregate.ts';
import { getStream, openFloor } from './floor.ts';
import { table } from './table.ts';

/**
 * Run as `tsx bench/aggregates.ts FOLDER`. Measures each shape of aggregate in this thread against the time that SQLite
 * takes to add up the last column that the shape reads, over the same records.
 */
const ROUNDS = 5;
const BANK = ['bank_checking', 'transactions'] as const;
const PLAYS = ['spotify', 'plays'] as const;
const HEALTH = ['apple_health', 'samples'] as const;

interface Shape {
  readonly title: string;
  readonly stream: readonly [connection: string, stream: string];
  /** The last column that is read: a field, or `t`. */
  readonly column: string;
  readonly input: object;
}

const sum = { metric: 'sum', field: 'amount' } as const;
const year = (from: number, to: number) => ({ gte: `${from}-01-01`, lt: `${to}-01-01` });
const shapes: readonly Shape[] = [
  { title: 'count by month', stream: BANK, column: 't', input: { interval: 'month' } },
  { title: 'sum', stream: BANK, column: 'amount', input: sum },
  { title: 'avg', stream: BANK, column: 'amount', input: { ...sum, metric: 'avg' } },
  { title: 'sum by month', stream: BANK, column: 'amount', input: { ...sum, interval: 'month' } },
  {
    title: 'sum by month, by value',
    stream: BANK,
    column: 'amount',
    input: { ...sum, interval: 'month', sort: '-value' },
  },
  {
    title: 'sum by merchant, top 10',
    stream: BANK,
    column: 'amount',
    input: { ...sum, group_by: ['merchant'], limit: 10 },
  },
  {
    title: 'avg by merchant',
    stream: BANK,
    column: 'amount',
    input: { ...sum, metric: 'avg', group_by: ['merchant'] },
  },
  {
    title: 'max by merchant',
    stream: BANK,
    column: 'amount',
    input: { ...sum, metric: 'max', group_by: ['merchant'] },
  },
  { title: 'sum by category', stream: BANK, column: 'amount', input: { ...sum, group_by: ['category'] } },
  {
    title: 'count by category (indexed)',
    stream: BANK,
    column: 'category',
    input: { group_by: ['category'] },
  },
  { title: 'count by merchant', stream: BANK, column: 'merchant', input: { group_by: ['merchant'] } },
  {
    title: 'count by reference (unique)',
    stream: BANK,
    column: 'reference',
    input: { group_by: ['reference'] },
  },
  {
    title: 'sum by category, account',
    stream: BANK,
    column: 'amount',
    input: { ...sum, group_by: ['category', 'account_id'] },
  },
  {
    title: 'sum by merchant, city',
    stream: BANK,
    column: 'amount',
    input: { ...sum, group_by: ['merchant', 'city'] },
  },
  {
    title: 'sum by account.name (related)',
    stream: BANK,
    column: 'amount',
    input: { ...sum, group_by: ['account.name'] },
  },
  {
    title: 'count_distinct merchant',
    stream: BANK,
    column: 'merchant',
    input: { metric: 'count_distinct', field: 'merchant' },
  },
  {
    title: 'count_distinct merchant by category',
    stream: BANK,
    column: 'merchant',
    input: { metric: 'count_distinct', field: 'merchant', group_by: ['category'] },
  },
  {
    title: 'sum, 4 separate ranges',
    stream: BANK,
    column: 'amount',
    input: {
      ...sum,
      ranges: { a: year(2000, 2022), b: year(2022, 2024), c: year(2024, 2025), d: year(2025, 2030) },
    },
  },
  {
    title: 'sum, 4 overlapping ranges',
    stream: BANK,
    column: 'amount',
    input: {
      ...sum,
      ranges: { a: year(2000, 2030), b: year(2001, 2030), c: year(2002, 2030), d: year(2003, 2030) },
    },
  },
  {
    title: 'sum by category in 2 ranges',
    stream: BANK,
    column: 'amount',
    input: { ...sum, group_by: ['category'], ranges: { a: year(2000, 2024), b: year(2024, 2030) } },
  },
  {
    title: 'sum by month and category',
    stream: BANK,
    column: 'amount',
    input: { ...sum, interval: 'month', group_by: ['category'] },
  },
  {
    title: 'sum by merchant, one category',
    stream: BANK,
    column: 'amount',
    input: { ...sum, group_by: ['merchant'], filter: { category: 'groceries' } },
  },
  {
    title: 'sum by merchant, contains',
    stream: BANK,
    column: 'amount',
    input: { ...sum, group_by: ['merchant'], filter: { merchant: { contains: 'a' } } },
  },
  {
    title: 'sum of whole numbers',
    stream: PLAYS,
    column: 'played_ms',
    input: { metric: 'sum', field: 'played_ms' },
  },
  {
    title: 'sum of whole numbers by year',
    stream: PLAYS,
    column: 'played_ms',
    input: { metric: 'sum', field: 'played_ms', interval: 'year' },
  },
  { title: 'count by weekday', stream: PLAYS, column: 't', input: { interval: 'weekday' } },
  { title: 'count by hour of day', stream: PLAYS, column: 't', input: { interval: 'hour_of_day' } },
  {
    title: 'sum by hour of day',
    stream: PLAYS,
    column: 'played_ms',
    input: { metric: 'sum', field: 'played_ms', interval: 'hour_of_day' },
  },
  {
    title: 'sum by artist',
    stream: PLAYS,
    column: 'played_ms',
    input: { metric: 'sum', field: 'played_ms', group_by: ['artist'] },
  },
  {
    title: 'sum by day and kind',
    stream: PLAYS,
    column: 'played_ms',
    input: { metric: 'sum', field: 'played_ms', interval: 'day', group_by: ['kind'] },
  },
  {
    title: 'avg by month of another time',
    stream: HEALTH,
    column: 'recorded_at',
    input: { metric: 'avg', field: 'value', interval: 'month', group_by: ['recorded_at'] },
  },
];

const [directory = '', wanted = ''] = process.argv.slice(2);
const { read, close } = openReadStore(directory);
const raw = openFloor(directory);
const nothing = async () => [];
const perform = createPerformer({
  store: read,
  cursorKey: new Uint8Array(32),
  origin: 'http://127.0.0.1',
  dictionary: { findSimilar: nothing, findContaining: nothing },
});
const options = { grant: undefined, requestId: 'bench', now: new Date() };

const rows = [['shape', 'records', 'ms', 'column ms', 'ratio']];
for (const {
  title,
  stream: [connection_id, stream],
  column,
  input,
} of shapes) {
  if (!title.includes(wanted)) continue;
  const { stream_id, plan } = getStream(raw, connection_id, stream);
  const { slots } = JSON.parse(plan) as { slots: Record<string, number> };
  const reading = raw.prepare(
    `select sum(${column === 't' ? 't' : `s${slots[column]}`}), count(*) as n from facets where stream_id = ?`,
  );
  const call = () => perform(aggregate, { connection_id, stream, ...input }, options);
  await call();
  const [asked, alone]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    asked.push(await measure(call));
    alone.push(await measure(async () => reading.get(stream_id)));
  }
  const [ms, columnMs] = [Math.min(...asked), Math.min(...alone)];
  const { n } = reading.get(stream_id) as { n: number };
  rows.push([
    title,
    n.toLocaleString('en'),
    ms.toFixed(1),
    columnMs.toFixed(1),
    `${(ms / columnMs).toFixed(1)}x`,
  ]);
}
console.log(table(rows));
raw.close();
close();

/** Returns the CPU milliseconds of some work. */
async function measure(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
