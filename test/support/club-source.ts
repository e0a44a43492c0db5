import { addSelf } from '../../src/schema-index/edit-catalog.ts';
import { declare, declareStream, string, time } from './declare.ts';
import { createWorld, type Line, type World } from './world.ts';

/** Payments in more than one currency by members who have names: what keys stand for, units, and who the owner is. */
export const clubSource = declare('club', [
  declareStream('members', {
    fields: { id: string, name: string, email: string, joined_at: time },
    time: 'joined_at',
    search: ['name'],
  }),
  declareStream('payments', {
    fields: {
      id: string,
      member_id: string,
      amount: { type: 'number' },
      currency: string,
      cc: { type: 'array', items: string },
      note: string,
      paid_at: time,
    },
    time: 'paid_at',
    search: ['note'],
    relationships: [{ name: 'member', stream: 'members', foreign_key: 'member_id', cardinality: 'has_one' }],
  }),
]);

export function member(id: string, name: string, joined_at = '2026-02-01T00:00:00Z'): Line {
  return { key: id, data: { id, name, email: `${id}@club.example`, joined_at } };
}

export function payment(
  id: string,
  member_id: string,
  amount: number,
  currency: string,
  paid_at: string,
  more: Record<string, unknown> = {},
): Line {
  return { key: id, data: { id, member_id, amount, currency, paid_at, ...more } };
}

/** Two accounts of the club, in both of which a member has the same key. */
export async function createClubWorld(): Promise<World & { token: string }> {
  const world = await createWorld({ timeZone: 'Europe/Berlin' });
  await world.addSource(clubSource, { north: 'Club in the north', south: 'Club in the south' });
  await world.ingest('north', 'members', [member('m1', 'Ana Reis'), member('m2', 'Bo Lind')]);
  await world.ingest('south', 'members', [member('m1', 'Cleo Park'), member('m3', 'Dai Rhys')]);
  await world.ingest('north', 'payments', [
    payment('p1', 'm1', -10, 'EUR', '2026-02-01T10:00:00Z', { note: 'Rope', cc: ['M1@club.example'] }),
    payment('p2', 'm2', -30, 'EUR', '2026-02-28T23:30:00Z', { note: 'Guide book' }),
    payment('p3', 'm1', -2_000, 'JPY', '2026-03-05T10:00:00Z', { cc: ['m2@club.example'] }),
    payment('p4', 'm9', -1, 'EUR', '2026-03-06T10:00:00Z'),
  ]);
  await world.ingest('south', 'payments', [
    payment('p1', 'm3', -5, 'EUR', '2026-02-20T10:00:00Z'),
    payment('p2', 'm1', -7, 'EUR', '2026-03-20T10:00:00Z'),
  ]);
  await addSelf(world.store.write, 'north', ['m1', 'M1@club.example', 'never seen']);
  const { token } = await world.grant([{ connection_id: 'north' }, { connection_id: 'south' }]);
  return { ...world, token };
}
