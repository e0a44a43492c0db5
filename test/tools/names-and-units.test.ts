import { describe, expect, it } from 'vitest';
import { readAnswer, readRefusal } from '../support/answers.ts';
import { createClubWorld, member } from '../support/club-source.ts';
import { useWorld } from '../support/use-world.ts';

const world = await useWorld(createClubWorld());
const call = async (tool: string, args: object, token = world.token) =>
  readAnswer(await world.call(token, tool, { stream: 'payments', connection_id: 'north', ...args }));
const measure = async (args: object, token = world.token) => (await call('aggregate', args, token)).data;
const keys = async (args: object) =>
  (await call('query_records', args)).data.map(({ record }: { record: { id: string } }) => record.id);
const refuse = async (tool: string, args: object) =>
  readRefusal(await world.call(world.token, tool, { stream: 'payments', connection_id: 'north', ...args }));
const justPayments = (await world.grant([{ connection_id: 'north', stream: 'payments' }])).token;

describe('the label of a key', () => {
  it('is shown for groups by a field that refers to other records', async () => {
    expect((await measure({ group_by: ['member_id'], sort: 'group' })).groups).toEqual([
      { member_id: 'm1', label: 'Ana Reis', value: 2 },
      { member_id: 'm2', label: 'Bo Lind', value: 1 },
      { member_id: 'm9', value: 1 },
    ]);
  });

  it('is shown once for a list of records, for the shown ones', async () => {
    const { labels } = await call('query_records', { filter: { member_id: 'm1' } });
    expect(labels).toEqual({ member_id: { m1: 'Ana Reis' } });
    expect(await call('query_records', { fields: ['amount'] })).not.toHaveProperty('labels');
    expect(await call('query_records', { expand: ['member'] })).not.toHaveProperty('labels');
  });

  it('is omitted if the key has different names in two connections', async () => {
    const { groups } = await measure({ connection_id: 'club', group_by: ['member_id'], sort: 'group' });
    expect(groups).toEqual([
      { member_id: 'm1', value: 3 },
      { member_id: 'm2', label: 'Bo Lind', value: 1 },
      { member_id: 'm3', label: 'Dai Rhys', value: 1 },
      { member_id: 'm9', value: 1 },
    ]);
  });

  it('comes with the values of the field in schema, where all have a name', async () => {
    const south = await call('schema', { connection_id: 'south' });
    const field = (data: typeof south.data, name: string) =>
      data.sources[0].fields.find((one: { name: string }) => one.name === name);
    expect(field(south.data, 'member_id')).toEqual({
      name: 'member_id',
      type: 'string',
      labels: { m1: 'Cleo Park', m3: 'Dai Rhys' },
    });
    expect(field((await call('schema', {})).data, 'member_id').values).toEqual(['m1', 'm2', 'm9']);
  });

  it('is hidden from apps that may not read the related record', async () => {
    expect((await measure({ group_by: ['member_id'], limit: 1 }, justPayments)).groups).toEqual([
      { member_id: 'm1', value: 2 },
    ]);
    expect(await call('query_records', {}, justPayments)).not.toHaveProperty('labels');
  });
});

describe('a field of a related record', () => {
  it('is what groups are made by', async () => {
    const data = await measure({ group_by: ['member.name'], sort: 'group' });
    expect(data).toMatchObject({ group_by: ['member.name'], total: 4 });
    expect(data.groups).toEqual([
      { 'member.name': null, value: 1 },
      { 'member.name': 'Ana Reis', value: 2 },
      { 'member.name': 'Bo Lind', value: 1 },
    ]);
  });

  it('is all that expand shows when it is named', async () => {
    const { data } = await call('query_records', { filter: { id: 'p1' }, expand: ['member.name'] });
    expect(data[0].expanded.member).toEqual({ id: 'north/members/m1', record: { name: 'Ana Reis' } });
  });

  it('is refused where there is none, or none that may be read', async () => {
    for (const group_by of [['member.nosuch'], ['nosuch.name'], ['member']])
      expect((await refuse('aggregate', { group_by })).code).toBe('unknown_field');
    const hidden = await world.call(justPayments, 'aggregate', {
      stream: 'payments',
      group_by: ['member.name'],
    });
    expect(readRefusal(hidden).code).toBe('unknown_field');
    expect((await refuse('query_records', { expand: ['member.nosuch'] })).code).toBe('unknown_field');
  });
});

describe('a filter by the label of a key', () => {
  it('takes the name for the key, also in lists and with ne, and says which key was meant', async () => {
    const answer = await call('query_records', { filter: { member_id: 'Ana Reis' } });
    expect(answer.data.map(({ record }: { record: { id: string } }) => record.id)).toEqual(['p3', 'p1']);
    expect(answer.meta.names_understood_as).toEqual({ member_id: { 'Ana Reis': ['m1'] } });
    expect(await keys({ filter: { member_id: '@ana reis' } })).toEqual(['p3', 'p1']);
    expect(await keys({ filter: { member_id: ['Bo Lind', 'm9'] } })).toEqual(['p4', 'p2']);
    expect(await keys({ filter: { member_id: { ne: 'Ana Reis' } } })).toEqual(['p4', 'p2']);
    expect((await call('query_records', { filter: { member_id: 'm1' } })).meta).not.toHaveProperty(
      'names_understood_as',
    );
  });

  it('resolves a name in each connection separately', async () => {
    const args = { connection_id: 'club', filter: { member_id: ['Cleo Park', 'Bo Lind'] } };
    const answer = await call('aggregate', args);
    expect(answer.data.total).toBe(2);
    expect(answer.meta.names_understood_as).toEqual({
      member_id: { 'Bo Lind': ['m2'], 'Cleo Park': ['m1'] },
    });
  });

  it('goes through a relation to any field of the record', async () => {
    expect(await keys({ filter: { 'member.name': { starts_with: 'ana' } } })).toEqual(['p3', 'p1']);
    expect(await keys({ filter: { 'member.email': 'm2@club.example', currency: 'EUR' } })).toEqual(['p2']);
    expect(await keys({ filter: { 'member.name': 'Ana Reis', 'member.id': 'm2' } })).toEqual([]);
    expect(await keys({ filter: { 'member.name': 'Nobody' } })).toEqual([]);
    expect((await measure({ filter: { 'member.joined_at': '2026-02' } })).total).toBe(3);
    expect((await refuse('query_records', { filter: { 'member.nosuch': 1 } })).code).toBe('unknown_field');
    expect((await refuse('query_records', { filter: { 'nosuch.name': 1 } })).code).toBe('unknown_field');
  });

  it('limits a search to records that refer to the filtered person', async () => {
    const found = async (filter: object) =>
      readAnswer(await world.call(world.token, 'search', { query: 'rope', filter })).results.length;
    expect(await found({ 'member.name': 'Ana Reis' })).toBe(1);
    expect(await found({ member_id: 'ana reis' })).toBe(1);
    expect(await found({ 'member.name': 'Bo Lind' })).toBe(0);
  });

  it('refuses a name that matches more records than a filter may list', async () => {
    const own = await createClubWorld();
    await own.ingest(
      'north',
      'members',
      Array.from({ length: 201 }, (_, at) => member(`x${at}`, 'Twin')),
    );
    for (const filter of [{ member_id: 'twin' }, { 'member.name': 'Twin' }]) {
      const args = { stream: 'payments', connection_id: 'north', filter };
      expect(readRefusal(await own.call(own.token, 'aggregate', args)).code).toBe('invalid_filter');
    }
    own.close();
  });

  it('knows no name of a record that may not be read', async () => {
    const ask = (filter: object) => world.call(justPayments, 'query_records', { stream: 'payments', filter });
    expect(readAnswer(await ask({ member_id: 'Ana Reis' })).data).toEqual([]);
    expect(readRefusal(await ask({ 'member.name': 'Ana Reis' })).code).toBe('unknown_field');
  });
});

describe('amounts in several units', () => {
  const sum = { metric: 'sum', field: 'amount' };

  it('are added up by unit, and never together', async () => {
    const answer = await call('aggregate', sum);
    expect(answer.meta.warnings).toEqual(['mixed_units']);
    expect(answer.data).toEqual({
      ...sum,
      group_by: ['currency'],
      records: 4,
      sort: 'value',
      groups: [
        { currency: 'JPY', value: -2_000, records: 1 },
        { currency: 'EUR', value: -41, records: 3 },
      ],
    });
    expect((await measure({ ...sum, group_by: ['member_id'] })).group_by).toEqual(['member_id', 'currency']);
  });

  it('also have no total for the remaining groups', async () => {
    expect((await measure({ ...sum, limit: 1 })).other).toEqual({ groups: 1, records: 3 });
  });

  it('are separated in groups by time, too', async () => {
    const answer = await call('aggregate', { ...sum, interval: 'month' });
    expect(answer.meta.warnings).toEqual(['mixed_units']);
    expect(answer.data).not.toHaveProperty('total');
    expect(answer.data.groups).toEqual([
      { paid_at: '2026-02', currency: 'EUR', value: -10, records: 1 },
      { paid_at: '2026-03', currency: 'EUR', value: -31, records: 2 },
      { paid_at: '2026-03', currency: 'JPY', value: -2_000, records: 1 },
    ]);
  });

  it('are separated in ranges, too', async () => {
    const ranges = { march: '2026-03', all: '2026' };
    const answer = await call('aggregate', { ...sum, ranges });
    expect(answer.meta.warnings).toEqual(['mixed_units']);
    expect(answer.data.groups).toEqual([
      { range: 'march', currency: 'JPY', value: -2_000, records: 1 },
      { range: 'march', currency: 'EUR', value: -31, records: 2 },
      { range: 'all', currency: 'JPY', value: -2_000, records: 1 },
      { range: 'all', currency: 'EUR', value: -41, records: 3 },
    ]);
    for (const range of answer.data.ranges) expect(range).not.toHaveProperty('total');
  });

  it('explain which call separates them', async () => {
    const answer = await call('aggregate', { ...sum, group_by: ['member_id', 'id'] });
    expect(answer.meta.warnings).toEqual(['mixed_units']);
    expect(answer.data).toMatchObject({ units: ['EUR', 'JPY'] });
    expect(answer.data.hint).toContain('filter currency by one of units');
    expect(answer.data).not.toHaveProperty('total');
  });

  it('do not matter if one unit is selected or none is measured', async () => {
    const euros = await call('aggregate', { ...sum, filter: { currency: 'EUR' } });
    expect(euros.data).toEqual({ ...sum, total: -41, records: 3 });
    expect(euros.meta).not.toHaveProperty('warnings');
    expect((await call('aggregate', {})).meta).not.toHaveProperty('warnings');
    expect((await call('aggregate', { connection_id: 'south', ...sum })).data.total).toBe(-12);
  });
});

describe('time and one more field', () => {
  it('are groups together, the time first, with the name of the label of a key', async () => {
    const data = await measure({ group_by: ['member_id', 'paid_at'], interval: 'month' });
    expect(data).toMatchObject({ group_by: ['paid_at', 'member_id'], interval: 'month', total: 4 });
    expect(data.groups).toEqual([
      { paid_at: '2026-02', member_id: 'm1', label: 'Ana Reis', value: 1 },
      { paid_at: '2026-03', member_id: 'm1', label: 'Ana Reis', value: 1 },
      { paid_at: '2026-03', member_id: 'm2', label: 'Bo Lind', value: 1 },
      { paid_at: '2026-03', member_id: 'm9', value: 1 },
    ]);
    // The stream's own time is meant where none is named.
    expect(await measure({ group_by: ['member_id'], interval: 'month' })).toEqual(data);
    const latest = await measure({ group_by: ['member_id'], interval: 'month', limit: 1 });
    expect(latest).toMatchObject({
      groups: [{ member_id: 'm9' }],
      other: { groups: 3, records: 3, value: 3 },
    });
    const both = await measure({ connection_id: 'club', group_by: ['connection_id'], interval: 'year' });
    expect(both.groups).toEqual([
      { paid_at: '2026', connection_id: 'north', value: 4 },
      { paid_at: '2026', connection_id: 'south', value: 2 },
    ]);
  });

  it('are no more than two', async () => {
    const group_by = ['member_id', 'currency'];
    expect((await refuse('aggregate', { group_by, interval: 'day' })).code).toBe('invalid_argument');
    expect((await refuse('aggregate', { group_by: ['nosuch'], interval: 'day' })).code).toBe('unknown_field');
  });

  it('recur by the clock of the zone', async () => {
    // The payment of Saturday 23:30 UTC is of Sunday in Berlin.
    expect((await measure({ interval: 'weekday' })).groups).toEqual([
      { paid_at: 'Thursday', value: 1 },
      { paid_at: 'Friday', value: 1 },
      { paid_at: 'Sunday', value: 2 },
    ]);
    const hours = await measure({ interval: 'hour_of_day', time_zone: 'UTC' });
    expect(hours.groups).toEqual([
      { paid_at: '10:00', value: 3 },
      { paid_at: '23:00', value: 1 },
    ]);
    const most = await measure({ interval: 'weekday', sort: '-value', limit: 1 });
    expect(most).toMatchObject({
      groups: [{ paid_at: 'Sunday', value: 2 }],
      other: { groups: 2, records: 2 },
    });
  });
});

describe('the order of groups', () => {
  it('is by size where all are below zero, and says so', async () => {
    const args = { metric: 'sum', field: 'amount', filter: { currency: 'EUR' }, group_by: ['member_id'] };
    const spent = await measure({ ...args, limit: 1 });
    expect(spent).toMatchObject({ sort: 'value', groups: [{ member_id: 'm2', value: -30 }] });
    expect((await measure({ ...args, sort: '-value', limit: 1 })).groups[0].value).toBe(-1);
    expect((await measure({ group_by: ['member_id'] })).sort).toBe('-value');
  });
});

describe('me', () => {
  it('is listed in schema for each field in which a visible record names the owner', async () => {
    const { data } = await call('schema', { stream: ['payments', 'members'] });
    const [payments, members] = data.sources;
    expect(payments.connections[0].me).toEqual({ member_id: 'm1', cc: 'M1@club.example' });
    expect(members.connections[0].me).toEqual({ id: 'm1', email: 'm1@club.example' });
    expect(JSON.stringify(data)).not.toContain('never seen');
    const south = await call('schema', { connection_id: 'south' });
    expect(south.data.sources[0].connections[0]).not.toHaveProperty('me');
  });

  it('filters like the values it stands for, alone, in a list and with ne', async () => {
    expect(await keys({ filter: { member_id: 'me' } })).toEqual(['p3', 'p1']);
    expect(await keys({ filter: { member_id: ['me', 'm2'] } })).toEqual(['p3', 'p2', 'p1']);
    expect(await keys({ filter: { member_id: { ne: 'me' } } })).toEqual(['p4', 'p2']);
    expect(await keys({ filter: { cc: 'me' } })).toEqual(['p1']);
    expect((await measure({ filter: { member_id: 'me' } })).total).toBe(2);
  });

  it('limits a search to streams in which the owner is known', async () => {
    const args = { query: 'Ana Reis', connection_id: 'club', streams: ['members'], filter: { email: 'me' } };
    const { results } = readAnswer(await world.call(world.token, 'search', args));
    expect(results.map(({ id }: { id: string }) => id)).toEqual(['north/members/m1']);
    const south = await world.call(world.token, 'search', { ...args, connection_id: 'south' });
    expect(readRefusal(south)).toMatchObject({ code: 'invalid_filter', hint: 'Name the person.' });
  });

  it('is a plain word in fields that hold no persons', async () => {
    expect(await keys({ filter: { currency: 'me' } })).toEqual([]);
  });

  it('is refused if the owner is unknown, because an empty answer would mislead', async () => {
    const refusal = await refuse('query_records', { connection_id: 'south', filter: { member_id: 'me' } });
    expect(refusal).toMatchObject({ code: 'invalid_filter', hint: 'Name the person.' });
    // The owner's rows lie outside of this window, so the owner is not known in it.
    const { token } = await world.grant([{ connection_id: 'north', stream: 'payments' }], {
      since: Date.parse('2026-03-06T00:00:00Z'),
    });
    const hidden = await world.call(token, 'query_records', {
      stream: 'payments',
      filter: { member_id: 'me' },
    });
    expect(readRefusal(hidden)).toMatchObject({ code: 'invalid_filter' });
  });
});

describe('several connections', () => {
  it('are read together by a list, a connector key or a star, and told apart on request', async () => {
    for (const connection_id of [['north', 'south'], 'club', '*', ['club']])
      expect((await measure({ connection_id })).total).toBe(6);
    expect((await measure({ connection_id: 'club', group_by: ['connection_id'] })).groups).toEqual([
      { connection_id: 'north', value: 4 },
      { connection_id: 'south', value: 2 },
    ]);
  });

  it('are named in the refusal of a call that names none', async () => {
    const refusal = readRefusal(await world.call(world.token, 'aggregate', { stream: 'payments' }));
    expect(refusal).toMatchObject({ code: 'ambiguous_connection', total: 2 });
    expect(refusal.hint).toContain('a list of them, or a connector_key');
    expect((await refuse('aggregate', { connection_id: ['north', 'nosuch'] })).code).toBe(
      'unknown_connection',
    );
  });
});

describe('ranges', () => {
  const ranges = { february: { gte: '2026-02-01', lt: '2026-03-01' }, march: { gte: '2026-03-01' } };

  it('measure named periods in one call, by the clock of the zone', async () => {
    const answer = await call('aggregate', { ranges });
    expect(answer.data).toEqual({
      metric: 'count',
      group_by: ['paid_at'],
      groups: [
        { range: 'february', gte: '2026-02-01T00:00:00+01:00', lt: '2026-03-01T00:00:00+01:00', value: 1 },
        { range: 'march', gte: '2026-03-01T00:00:00+01:00', value: 3 },
      ],
    });
    expect(answer.meta.time_zone).toBe('Europe/Berlin');
    const utc = await measure({ ranges, time_zone: 'UTC' });
    expect(utc.groups.map((group: { value: number }) => group.value)).toEqual([2, 2]);
  });

  it.each([
    ['none', {}],
    [
      'too many',
      Object.fromEntries(Array.from({ length: 13 }, (_, at) => [`r${at}`, { gte: '2026-01-01' }])),
    ],
    ['a name that is too long', { ['x'.repeat(61)]: { gte: '2026-01-01' } }],
  ])('refuse %s', async (_, wrong) => {
    expect((await refuse('aggregate', { ranges: wrong })).code).toBe('invalid_argument');
  });

  it('do not go with interval', async () => {
    expect((await refuse('aggregate', { ranges, interval: 'day' })).code).toBe('invalid_argument');
  });
});

describe('conditions on text', () => {
  it.each<[object, string[]]>([
    [{ currency: { ne: ['EUR', 'USD'] } }, ['p3']],
    [{ member_id: { starts_with: 'M' }, currency: { contains: 'ur' } }, ['p4', 'p2', 'p1']],
    [{ member_id: { contains: '9' } }, ['p4']],
    [{ member_id: { contains: 'zz' } }, []],
  ])('%j', async (filter, expected) => {
    expect(await keys({ filter })).toEqual(expected);
  });

  it.each([
    [{ amount: { contains: '1' } }, 'unsupported_field'],
    [{ note: { contains: 'Rope' } }, 'unsupported_field'],
    [{ currency: { contains: '' } }, 'invalid_filter'],
    [{ currency: { contains: ['a'] } }, 'invalid_filter'],
    [{ currency: { starts_with: 'x'.repeat(4_001) } }, 'invalid_filter'],
  ])('%j is refused', async (filter, code) => {
    expect((await refuse('query_records', { filter })).code).toBe(code);
  });
});

describe('the zone of a call', () => {
  it('holds for the bounds of a filter and for the times that are shown', async () => {
    const filter = { paid_at: { gte: '2026-03-01', lt: '2026-03-02' } };
    const tokyo = await call('query_records', { filter, time_zone: 'Asia/Tokyo' });
    expect(tokyo.meta).toMatchObject({
      time_zone: 'Asia/Tokyo',
      times_understood_as: {
        paid_at: { gte: '2026-03-01T00:00:00+09:00', lt: '2026-03-02T00:00:00+09:00' },
      },
    });
    expect(tokyo.data.map((row: { record: object }) => row.record)).toMatchObject([
      { id: 'p2', paid_at: '2026-03-01T08:30:00+09:00' },
    ]);
    expect(await keys({ filter, time_zone: 'UTC' })).toEqual([]);
    expect((await refuse('query_records', { time_zone: 'Mars/Olympus' })).code).toBe('invalid_argument');
  });

  it('is part of what a cursor goes on with', async () => {
    const { next_cursor: cursor } = await call('query_records', { limit: 1, time_zone: 'UTC' });
    expect(await keys({ limit: 1, time_zone: 'UTC', cursor })).toEqual(['p3']);
    expect((await refuse('query_records', { limit: 1, cursor })).code).toBe('invalid_cursor');
  });
});
