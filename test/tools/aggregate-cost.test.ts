import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAnswer } from '../support/answers.ts';
import { clubSource, member, payment } from '../support/club-source.ts';
import { relaxSync } from '../support/stores/engines.ts';
import { createWorld, type World } from '../support/world.ts';

const MEMBERS = 3_000;
const PAYMENTS = 12_000;
const FIRST = Date.UTC(2021, 0, 1);
/** One payment in four hours: two thousand days. */
const STEP = 4 * 3_600_000;

let world: World;
let whole: string;
let windowed: string;

beforeAll(async () => {
  world = await createWorld();
  relaxSync(world.store);
  await world.addSource(clubSource, { north: 'Club' });
  await world.ingest(
    'north',
    'members',
    Array.from({ length: MEMBERS }, (_, at) => member(`m${at}`, `Name ${at % 100}`)),
  );
  await world.ingest(
    'north',
    'payments',
    Array.from({ length: PAYMENTS }, (_, at) =>
      payment(`p${at}`, `m${at % MEMBERS}`, 1, 'EUR', new Date(FIRST + at * STEP).toISOString()),
    ),
  );
  whole = (await world.grant([{ connection_id: 'north' }])).token;
  windowed = (await world.grant([{ connection_id: 'north' }], { since: FIRST })).token;
}, 60_000);
afterAll(() => world.close());

/** The least time of the processor that a call took, of a few. */
async function measure(
  token: string,
  args: object,
): Promise<{ ms: number; data: { groups: unknown[]; total: number } }> {
  let ms = Number.POSITIVE_INFINITY;
  let data: { groups: unknown[]; total: number } | undefined;
  for (let run = 0; run < 4; run++) {
    const before = process.cpuUsage();
    data = readAnswer(await world.call(token, 'aggregate', { stream: 'payments', ...args })).data;
    const { user, system } = process.cpuUsage(before);
    ms = Math.min(ms, (user + system) / 1_000);
  }
  return { ms, data: data as { groups: unknown[]; total: number } };
}

describe('aggregate over many records', () => {
  it('looks up related records by key, without scanning their stream', async () => {
    const own = await measure(whole, { group_by: ['member_id'] });
    const related = await measure(whole, { group_by: ['member.name'] });
    expect(related.data.groups[0]).toEqual({ 'member.name': 'Name 0', value: PAYMENTS / 100 });
    expect(related.ms).toBeLessThan(own.ms * 15);
  });

  it('reads related records once, by name or by a field', async () => {
    const own = await measure(whole, { filter: { member_id: 'm7' } });
    expect((await measure(whole, { filter: { member_id: 'Name 7' } })).data.total).toBe(PAYMENTS / 100);
    for (const filter of [
      { member_id: 'Name 7' },
      { member_id: Array.from({ length: 6 }, (_, at) => `name ${at}`) },
      { member_id: 'nobody at all' },
      { 'member.name': 'Name 7', 'member.email': { contains: '7' } },
    ])
      expect((await measure(whole, { filter })).ms).toBeLessThan(own.ms + 40);
  });

  it('measures overlapping ranges as it measures each alone, at little extra cost', async () => {
    const ranges = Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [`from ${at}`, { gte: `20${20 + (at % 7)}-01-01` }]),
    );
    for (const metric of ['count', 'sum', 'avg', 'count_distinct', 'min', 'max']) {
      const args = {
        metric,
        ...(metric === 'count' ? {} : { field: metric === 'count_distinct' ? 'member_id' : 'amount' }),
        filter: { cc: { exists: false }, member_id: { contains: '1' } },
      };
      const together = await measure(windowed, { ...args, ranges });
      const [name, range] = Object.entries(ranges)[2] as [string, object];
      const alone = await measure(windowed, { ...args, ranges: { [name]: range } });
      expect(together.data.groups).toHaveLength(12);
      expect(together.data.groups[2]).toEqual(alone.data.groups[0]);
      expect(together.ms).toBeLessThan(alone.ms * 5);
    }
  });

  it('scans the records once for a part of time, with or without another field', async () => {
    const plain = await measure(windowed, { group_by: ['currency'], metric: 'sum', field: 'amount' });
    for (const interval of ['weekday', 'hour_of_day', 'month', 'hour'])
      for (const group_by of [['paid_at'], ['paid_at', 'currency']]) {
        if (interval === 'hour' && group_by.length === 1) continue;
        const args = { interval, group_by, metric: 'sum', field: 'amount', time_zone: 'America/New_York' };
        const parts = await measure(windowed, args);
        expect(parts.data.total).toBe(PAYMENTS);
        expect(parts.ms).toBeLessThan(plain.ms * 8);
      }
  });

  it('reads each day once, for any bounds of window and filter', async () => {
    const days = { interval: 'day', group_by: ['paid_at'], sort: '-value', metric: 'sum', field: 'amount' };
    const eur = { currency: 'EUR' };
    const free = await measure(whole, { ...days, filter: eur });
    const inWindow = await measure(windowed, { ...days, filter: eur });
    const bounded = await measure(windowed, { ...days, filter: { ...eur, paid_at: { gte: '2020-01-01' } } });
    expect(bounded.data.total).toBe(PAYMENTS);
    expect(inWindow.ms).toBeLessThan(free.ms * 8);
    expect(bounded.ms).toBeLessThan(free.ms * 8);
  });
});
