import type { Land, StreamSpec } from '../../../support/granted-sources.ts';

/** People, by whose names keys are called. */
const members: StreamSpec = {
  connector: 'club',
  name: 'members',
  primaryKey: ['id'],
  timeField: 'joined_at',
  searchable: ['name'],
  relations: [{ name: 'payments', stream: 'payments', foreign_key: 'user_id', cardinality: 'has_many' }],
  fields: { id: 'string', name: 'string', email: 'string', joined_at: 'date-time' },
};

/** Amounts in more than one currency, of people and to people. */
const payments: StreamSpec = {
  connector: 'club',
  name: 'payments',
  primaryKey: ['id'],
  timeField: 'paid_at',
  searchable: ['note', 'reason'],
  relations: [{ name: 'user', stream: 'members', foreign_key: 'user_id', cardinality: 'has_one' }],
  fields: {
    id: 'string',
    paid_at: 'date-time',
    user_id: 'string',
    amount: 'number',
    currency: 'string',
    cc: 'list',
    reason: 'string',
    note: 'text',
  },
};

/** What accounts call their owner, in records that may be visible. */
const SELF = ['k1', 'K1@club.example'];

/** Labels, units and who the owner is; two accounts, in both of which members have the same keys. */
export const club: Land = {
  name: 'club',
  specs: [members, payments],
  connections: [
    { id: 'club_north', connector: 'club', name: 'Club in the north', self: SELF },
    { id: 'club_south', connector: 'club', name: 'Club in the south', self: ['k2', 'k2@club.example'] },
  ],
};
