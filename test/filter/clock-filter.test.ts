import { describe, expect, it } from 'vitest';
import { readAnswer, readRefusal } from '../support/answers.ts';
import { createNotesWorld, note } from '../support/notes-source.ts';
import { useWorld } from '../support/use-world.ts';

/** 2026-03-29 is the Sunday on which the clocks in Berlin go from 2:00 to 3:00. */
const times: Record<string, string> = {
  fridayNoon: '2026-01-09T11:00:00Z',
  fridayLate: '2026-01-09T22:30:00Z',
  saturdayFirst: '2026-01-09T23:30:00Z',
  sundayBefore: '2026-03-29T00:30:00Z',
  sundayAfter: '2026-03-29T01:30:00Z',
  mondayEarly: '2026-06-07T22:30:00Z',
};
const world = await useWorld(
  createNotesWorld({
    connections: ['home'],
    timeZone: 'Europe/Berlin',
    notes: [
      ...Object.entries(times).map(([id, created_at]) =>
        note(id, { created_at, body: 'harbour', edited_at: created_at, due: '2026-01-09', stars: 1 }),
      ),
      note('timeless', { body: 'harbour', created_at: '2020-02-02T12:00:00Z', due: '2026-01-10' }),
    ],
  }),
);

const call = async (tool: string, args: object) =>
  readAnswer(await world.call(world.token, tool, { ...args }));
const find = async (filter: object, more: object = {}): Promise<string[]> =>
  (await call('query_records', { stream: 'notes', filter, sort: 'created_at', ...more })).data.map(
    (row: { id: string }) => row.id.split('/').at(-1),
  );
const since = { gte: '2026-01-01' };

describe('a filter on the weekday', () => {
  it.each<[object, string[]]>([
    [{ weekday: 'friday' }, ['fridayNoon', 'fridayLate']],
    [{ weekday: 'Fri' }, ['fridayNoon', 'fridayLate']],
    [{ weekday: ['saturday', 'monday'] }, ['saturdayFirst', 'mondayEarly']],
    [{ weekday: { ne: ['friday', 'sunday'] } }, ['saturdayFirst', 'mondayEarly']],
  ])('%j goes by the clock of the owner', async (test, ids) => {
    expect(await find({ created_at: { ...test, ...since } })).toEqual(ids);
    expect(await find({ edited_at: test })).toEqual(ids);
  });

  it('uses the time zone that the call names', async () => {
    const friday = { created_at: { weekday: 'friday', ...since } };
    expect(await find(friday, { time_zone: 'UTC' })).toEqual(['fridayNoon', 'fridayLate', 'saturdayFirst']);
  });

  it('does not shift calendar days between zones', async () => {
    for (const time_zone of ['UTC', 'Asia/Tokyo', 'America/Los_Angeles'])
      expect(await find({ due: { weekday: 'saturday' } }, { time_zone })).toEqual(['timeless']);
  });
});

describe('a filter on the hour', () => {
  it.each<[unknown, string[]]>([
    [23, ['fridayLate']],
    ['12:00', ['fridayNoon']],
    [
      [0, 1],
      ['saturdayFirst', 'sundayBefore', 'mondayEarly'],
    ],
    [{ gte: 1, lt: 4 }, ['sundayBefore', 'sundayAfter']],
    [{ gte: 23, lt: 1 }, ['fridayLate', 'saturdayFirst', 'mondayEarly']],
    [{ lt: 24, ne: [0, 1, 3, 23] }, ['fridayNoon']],
    [{ gt: 23 }, []],
    [{ lt: 0 }, []],
    [{ gte: 12, lt: 12 }, []],
    [Array.from({ length: 5_000 }, () => 23), ['fridayLate']],
  ])('%# goes by the clock of the owner, also where it is changed', async (hour, ids) => {
    expect(await find({ created_at: { hour, ...since } })).toEqual(ids);
  });

  it('leaves out records without a time', async () => {
    expect(await find({ edited_at: { hour: { gte: 0 } } })).toHaveLength(6);
  });
});

describe('weekday and hour', () => {
  const friday = { created_at: { weekday: 'friday', ...since } };

  it('work in every tool that takes a filter', async () => {
    const { results } = await call('search', { query: 'harbour', filter: friday });
    expect(results).toHaveLength(2);
    const { data } = await call('aggregate', { stream: 'notes', filter: friday });
    expect(data.total).toBe(2);
    const counted = await call('query_records', {
      stream: 'notes',
      filter: friday,
      count: 'exact',
      limit: 1,
    });
    expect(counted.count).toBe(2);
    const next = await call('query_records', {
      stream: 'notes',
      filter: friday,
      limit: 1,
      cursor: counted.next_cursor,
    });
    expect(next.data).toHaveLength(1);
  });

  it('agree with groups by weekday and by hour', async () => {
    for (const [interval, unit] of [
      ['weekday', 'weekday'],
      ['hour_of_day', 'hour'],
    ]) {
      const { data } = await call('aggregate', { stream: 'notes', interval });
      for (const { created_at, value } of data.groups)
        expect(await find({ created_at: { [unit as string]: created_at } })).toHaveLength(value);
    }
  });

  it('work in ranges', async () => {
    const { data } = await call('aggregate', {
      stream: 'notes',
      ranges: { fridays: { weekday: 'friday' }, sundays: { weekday: 'sunday' } },
      filter: { created_at: since },
    });
    expect(data.groups.map(({ range, value }: Record<string, unknown>) => [range, value])).toEqual([
      ['fridays', 2],
      ['sundays', 2],
    ]);
  });

  it.each<[string, object]>([
    ['invalid_filter', { created_at: { weekday: 'someday' } }],
    ['invalid_filter', { created_at: { weekday: 5 } }],
    ['invalid_filter', { created_at: { weekday: { gte: 'monday' } } }],
    ['invalid_filter', { created_at: { weekday: [] } }],
    ['invalid_filter', { created_at: { hour: 24 } }],
    ['invalid_filter', { created_at: { hour: '8:30' } }],
    ['invalid_filter', { created_at: { hour: {} } }],
    ['unsupported_field', { due: { hour: 8 } }],
    ['unsupported_field', { stars: { weekday: 'friday' } }],
  ])('are refused with %s for %j', async (code, filter) => {
    const refusal = readRefusal(await world.call(world.token, 'query_records', { stream: 'notes', filter }));
    expect(refusal.code).toBe(code);
    expect(refusal.hint).toMatch(/\S/);
  });
});

describe('ranges with a field beside the time', () => {
  const ranges = { winter: { gte: '2026-01-01', lt: '2026-03-01' }, later: { gte: '2026-03-01' } };

  it('have groups in each range, with its total and the remainder', async () => {
    const { data } = await call('aggregate', { stream: 'notes', ranges, group_by: ['created_at', 'due'] });
    expect(data).toMatchObject({
      group_by: ['created_at', 'due'],
      ranges: [
        { range: 'winter', total: 3, records: 3 },
        { range: 'later', total: 3, records: 3 },
      ],
      groups: [
        { range: 'winter', due: '2026-01-09', value: 3 },
        { range: 'later', due: '2026-01-09', value: 3 },
      ],
    });
    const first = await call('aggregate', { stream: 'notes', ranges, group_by: ['id'], limit: 1 });
    expect(first.data.ranges[0]).toMatchObject({ other: { groups: 2, records: 2, value: 2 } });
    expect(first.data.groups).toHaveLength(2);
  });

  it('take any metric and order', async () => {
    const { data } = await call('aggregate', {
      stream: 'notes',
      metric: 'sum',
      field: 'stars',
      ranges,
      group_by: ['id'],
      sort: 'group',
    });
    expect(data.groups.map(({ id }: { id: string }) => id)).toEqual([
      'fridayLate',
      'fridayNoon',
      'saturdayFirst',
      'mondayEarly',
      'sundayAfter',
      'sundayBefore',
    ]);
    expect(data.ranges[1]).toMatchObject({ range: 'later', total: 3, records: 3 });
  });

  it('fit the budget with twelve ranges of many groups', async () => {
    const notes = Array.from({ length: 1_200 }, (_, at) =>
      note(`k${at}`, {
        author: `somebody with a rather long name ${at}`,
        created_at: '2026-05-05T12:00:00Z',
      }),
    );
    const crowd = await createNotesWorld({ connections: ['home'], notes });
    const twelve = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`range ${at}`, '2026-05']));
    const args = { stream: 'notes', ranges: twelve, group_by: ['author'], limit: 200 };
    const { data } = readAnswer(await crowd.call(crowd.token, 'aggregate', args));
    crowd.close();
    const perRange = data.groups.length / 12;
    expect(Number.isInteger(perRange) && perRange >= 3).toBe(true);
    for (const { records, other } of data.ranges) expect(other.records).toBe(records - perRange);
  });
});
