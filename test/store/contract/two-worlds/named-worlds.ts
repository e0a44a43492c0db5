import { addSelf } from '../../../../src/schema-index/edit-catalog.ts';
import { clubSource, member, payment } from '../../../support/club-source.ts';
import { createWorld, type World } from '../../../support/world.ts';
import { expectSame, normalise } from './compare-worlds.ts';

/** Before this, nothing is visible. */
const SINCE = Date.parse('2026-02-01T00:00:00Z');
const LONG_AGO = '2020-01-01T00:00:00Z';

/** What the account calls its owner in visible records, and in hidden ones before it came to those. */
const SELF = ['m1', 'm2@club.example'];
const HIDDEN_SELF = ['m8', 'm8@club.example', ...Array.from({ length: 300 }, (_, at) => `alias ${at}`)];

const requests: [tool: string, args: Record<string, unknown>][] = [
  ['schema', { stream: ['payments', 'members'] }],
  ['query_records', { stream: 'payments' }],
  ['query_records', { stream: 'payments', expand: ['member.name'] }],
  ['query_records', { stream: 'payments', filter: { member_id: 'me' } }],
  ['query_records', { stream: 'payments', filter: { cc: { ne: 'me' } } }],
  // Nothing is of that name: what is near it is named.
  ['query_records', { stream: 'members', filter: { name: 'Reis' } }],
  ['aggregate', { stream: 'members', filter: { name: 'Reis' } }],
  ['search', { query: 'Ana Reis', filter: { id: 'me' } }],
  ['search', { query: 'Bo', filter: { email: { ne: 'me' } } }],
  ['aggregate', { stream: 'payments', group_by: ['member_id'] }],
  ['aggregate', { stream: 'payments', group_by: ['member.name', 'connection_id'] }],
  ['aggregate', { stream: 'payments', metric: 'sum', field: 'amount' }],
  ['aggregate', { stream: 'payments', metric: 'avg', field: 'amount', interval: 'month' }],
  [
    'aggregate',
    { stream: 'payments', metric: 'sum', field: 'amount', ranges: { all: { gte: '2019-01-01' } } },
  ],
  ...(['count', 'count_distinct', 'max'] as const).map((metric): (typeof requests)[number] => [
    'aggregate',
    {
      stream: 'payments',
      metric,
      ...(metric === 'count' ? {} : { field: 'amount' }),
      ranges: { all: { gte: '2019-01-01' }, old: { lt: '2026-03-01' }, ever: { gte: '1970-01-01' } },
    },
  ]),
  ['query_records', { stream: 'payments', filter: { member_id: 'Hidden Reis' } }],
  ['query_records', { stream: 'payments', filter: { member_id: ['Ana Reis', 'hidden reis'] } }],
  ['query_records', { stream: 'payments', filter: { 'member.name': 'Hidden Reis' } }],
  ['search', { query: 'Rope', filter: { 'member.name': { ne: 'Bo Lind' } } }],
  ['aggregate', { stream: 'payments', filter: { 'member.name': { ne: 'Bo Lind' } } }],
  ['aggregate', { stream: 'payments', filter: { member_id: { ne: 'Hidden Reis' } } }],
  ['aggregate', { stream: 'payments', interval: 'hour_of_day', time_zone: 'Asia/Kolkata' }],
  ['aggregate', { stream: 'payments', group_by: ['currency'], interval: 'weekday' }],
  ['aggregate', { stream: 'payments', group_by: ['member_id'], interval: 'year' }],
  [
    'aggregate',
    { stream: 'payments', group_by: ['member.name'], interval: 'week', sort: '-value', limit: 2 },
  ],
];

/**
 * Labels, values, units and who the owner is: two worlds that differ in hidden members and payments, from which a
 * careless reader would take each of them.
 */
export async function checkNamedWorlds(): Promise<void> {
  const here = await openWorld([]);
  const there = await openWorld(HIDDEN_SELF);
  try {
    await there.ingest('north', 'members', [member('m9', 'Hidden Reis', LONG_AGO)]);
    await there.ingest('north', 'payments', [
      payment('h1', 'm8', -4, 'USD', LONG_AGO, { cc: ['m8@club.example'] }),
      payment('h2', 'm2', -4, 'USD', LONG_AGO),
      payment('h3', 'm2', -4, 'EUR', LONG_AGO),
    ]);
    const tokens = [await allow(here), await allow(there)] as const;
    for (const [tool, args] of requests) {
      const a = await here.call(tokens[0], tool, args);
      const b = await there.call(tokens[1], tool, args);
      expectSame(`${tool} ${JSON.stringify(args)}`, normalise(a).join('\n'), normalise(b).join('\n'));
    }
  } finally {
    here.close();
    there.close();
  }
}

async function openWorld(hiddenSelf: readonly string[]): Promise<World> {
  const world = await createWorld();
  await world.addSource(clubSource, { north: 'Club' });
  await addSelf(world.store.write, 'north', hiddenSelf);
  await addSelf(world.store.write, 'north', SELF);
  await world.ingest('north', 'members', [member('m1', 'Ana Reis'), member('m2', 'Bo Lind')]);
  await world.ingest('north', 'payments', [
    payment('p1', 'm1', -10, 'EUR', '2026-02-02T10:00:00Z', {
      cc: ['m2@club.example'],
      note: 'Rope and hooks',
    }),
    payment('p2', 'm9', -30, 'EUR', '2026-02-03T10:00:00Z'),
    payment('p3', 'm1', -20, 'EUR', '2026-03-03T10:00:00Z'),
    payment('p4', 'm2', -2, 'EUR', '2026-03-04T10:00:00Z'),
  ]);
  return world;
}

async function allow(world: World): Promise<string> {
  return (await world.grant([{ connection_id: 'north' }], { since: SINCE })).token;
}
