import { addSelf } from '../../../src/schema-index/edit-catalog.ts';
import { clubSource, member, payment } from '../../support/club-source.ts';
import { createWorld, type World } from '../../support/world.ts';
import { expectSame, normalise } from './compare-worlds.ts';

/** Before this, nothing is visible. */
const SINCE = Date.parse('2026-02-01T00:00:00Z');
const LONG_AGO = '2020-01-01T00:00:00Z';

const requests: [tool: string, args: Record<string, unknown>][] = [
  ['schema', { stream: ['payments', 'members'] }],
  ['query_records', { stream: 'payments' }],
  ['query_records', { stream: 'payments', expand: ['member.name'] }],
  ['query_records', { stream: 'payments', filter: { member_id: 'me' } }],
  ['query_records', { stream: 'payments', filter: { cc: { ne: 'me' } } }],
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
  ['query_records', { stream: 'payments', filter: { member_id: 'Hidden Name' } }],
  ['query_records', { stream: 'payments', filter: { member_id: ['Ana Reis', 'hidden name'] } }],
  ['query_records', { stream: 'payments', filter: { 'member.name': 'Hidden Name' } }],
  ['search', { query: 'Rope', filter: { 'member.name': 'Hidden Name' } }],
  ['aggregate', { stream: 'payments', filter: { 'member.name': { ne: 'Bo Lind' } } }],
  ['aggregate', { stream: 'payments', filter: { member_id: 'Hidden' } }],
  ['aggregate', { stream: 'payments', filter: { currency: 'US' } }],
  ['aggregate', { stream: 'payments', filter: { cc: 'm8@club.example' } }],
  ['aggregate', { stream: 'payments', filter: { paid_at: '2020', member_id: 'm2' } }],
  ['aggregate', { stream: 'payments', filter: { paid_at: '2028' } }],
  ['aggregate', { stream: 'payments', group_by: ['member_id'], limit: 2 }],
  ['aggregate', { stream: 'payments', group_by: ['member_id'], interval: 'year' }],
  ['aggregate', { stream: 'payments', group_by: ['currency'], interval: 'weekday' }],
  ['aggregate', { stream: 'payments', group_by: ['member_id'], ranges: { old: '2020', new: '2026' } }],
];

/**
 * Labels, values, units and who the owner is: two worlds that differ in hidden members and payments, from which a
 * careless reader would take each of them.
 */
export async function checkNamedWorlds(): Promise<void> {
  const here = await openWorld();
  const there = await openWorld();
  try {
    await there.ingest('north', 'members', [member('m9', 'Hidden Name', LONG_AGO)]);
    await there.ingest('north', 'payments', [
      payment('h1', 'm8', -4, 'USD', LONG_AGO, { cc: ['m8@club.example'] }),
      payment('h2', 'm2', -4, 'USD', LONG_AGO),
      payment('h3', 'm2', -4, 'EUR', LONG_AGO),
    ]);
    await addSelf(there.store.write, 'north', ['m8', 'm8@club.example']);
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

async function openWorld(): Promise<World> {
  const world = await createWorld();
  await world.addSource(clubSource, { north: 'Club' });
  await world.ingest('north', 'members', [member('m1', 'Ana Reis'), member('m2', 'Bo Lind')]);
  await world.ingest('north', 'payments', [
    payment('p1', 'm1', -10, 'EUR', '2026-02-02T10:00:00Z', { cc: ['m2@club.example'] }),
    payment('p2', 'm9', -30, 'EUR', '2026-02-03T10:00:00Z'),
    payment('p3', 'm1', -20, 'EUR', '2026-03-03T10:00:00Z'),
    payment('p4', 'm2', -2, 'EUR', '2026-03-04T10:00:00Z'),
  ]);
  return world;
}

async function allow(world: World): Promise<string> {
  return (await world.grant([{ connection_id: 'north' }], { since: SINCE })).token;
}
