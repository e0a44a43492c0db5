import { describe, expect, it } from 'vitest';
import { readAnswer } from '../support/answers.ts';
import { createNotesWorld, note } from '../support/notes-source.ts';
import { useWorld } from '../support/use-world.ts';
import type { World } from '../support/world.ts';

const times = [
  '2025-12-31T22:30:00Z',
  '2025-12-31T23:30:00Z',
  '2026-03-28T23:30:00Z',
  '2026-03-29T00:30:00Z',
  '2026-03-29T01:30:00Z',
  '2026-03-29T22:30:00Z',
  '2026-10-24T23:30:00Z',
  '2026-10-25T00:30:00Z',
  '2026-10-25T01:30:00Z',
  '2026-10-25T02:30:00Z',
];

const world = await useWorld(
  createNotesWorld({
    timeZone: 'Europe/Berlin',
    notes: times.map((created_at, index) =>
      note(`n${index}`, { created_at, edited_at: created_at, due: created_at.slice(0, 10), price: index }),
    ),
  }),
);

async function bucket(args: object, where: World & { token: string } = world) {
  const { data } = readAnswer(
    await where.call(where.token, 'aggregate', { stream: 'notes', limit: 200, ...args }),
  );
  return data;
}

async function zoneOf(args: object): Promise<string> {
  const { meta } = readAnswer(await world.call(world.token, 'aggregate', { stream: 'notes', ...args }));
  return meta.time_zone;
}

/** Bucket names with their values. */
async function name(args: object, where: World & { token: string } = world): Promise<Record<string, number>> {
  const data = await bucket(args, where);
  const groups = data.groups.map((group: { value: number }) => {
    const [label] = Object.values(group);
    return [label, group.value];
  });
  expect(new Set(groups.map(([label]: [string]) => label)).size).toBe(groups.length);
  return Object.fromEntries(groups);
}

describe('aggregate by time, for an owner in Berlin', () => {
  it('counts by year', async () => {
    expect(await name({ interval: 'year' })).toEqual({ '2025': 1, '2026': 9 });
  });

  it('counts by quarter', async () => {
    expect(await name({ interval: 'quarter' })).toEqual({
      '2025-Q4': 1,
      '2026-Q1': 5,
      '2026-Q4': 4,
    });
  });

  it('counts by month', async () => {
    expect(await name({ interval: 'month' })).toEqual({
      '2025-12': 1,
      '2026-01': 1,
      '2026-03': 4,
      '2026-10': 4,
    });
  });

  it('counts by week, from Monday on', async () => {
    expect(await name({ interval: 'week' })).toEqual({
      '2025-12-29': 2,
      '2026-03-23': 3,
      '2026-03-30': 1,
      '2026-10-19': 4,
    });
  });

  it('counts by day, also when the day has 23 or 25 hours', async () => {
    const days = (gte: string, lt: string) => name({ interval: 'day', filter: { created_at: { gte, lt } } });
    expect(await days('2025-12-01', '2026-02-01')).toEqual({ '2025-12-31': 1, '2026-01-01': 1 });
    expect(await days('2026-03-01', '2026-04-01')).toEqual({ '2026-03-29': 3, '2026-03-30': 1 });
    expect(await days('2026-10-01', '2026-11-01')).toEqual({ '2026-10-25': 4 });
  });

  it('counts by hour, and tells the two hours of the same name apart', async () => {
    expect(
      await name({ interval: 'hour', filter: { created_at: { gte: '2026-03-29', lt: '2026-03-30' } } }),
    ).toEqual({
      '2026-03-29T00:00+01:00': 1,
      '2026-03-29T01:00+01:00': 1,
      '2026-03-29T03:00+02:00': 1,
    });
    expect(await name({ interval: 'hour', filter: { created_at: '2026-10-25' } })).toEqual({
      '2026-10-25T01:00+02:00': 1,
      '2026-10-25T02:00+02:00': 1,
      '2026-10-25T02:00+01:00': 1,
      '2026-10-25T03:00+01:00': 1,
    });
  });

  it('goes by another zone when asked to, and says by which', async () => {
    expect(
      await name({
        interval: 'day',
        time_zone: 'UTC',
        filter: { created_at: { gte: '2026-03-01', lt: '2026-04-01' } },
      }),
    ).toEqual({ '2026-03-28': 1, '2026-03-29': 3 });
    expect(await zoneOf({ interval: 'day' })).toBe('Europe/Berlin');
    expect(await zoneOf({ interval: 'day', time_zone: 'Asia/Kathmandu' })).toBe('Asia/Kathmandu');
    expect(
      await name({
        interval: 'hour',
        time_zone: 'Asia/Kathmandu',
        filter: { created_at: { lt: '2026-01-02' } },
      }),
    ).toEqual({
      '2026-01-01T04:00+05:45': 1,
      '2026-01-01T05:00+05:45': 1,
    });
  });

  it('does not move calendar days', async () => {
    expect(await name({ interval: 'month', group_by: ['due'] })).toEqual({
      '2025-12': 2,
      '2026-03': 4,
      '2026-10': 4,
    });
    expect(
      await name({
        interval: 'day',
        group_by: ['due'],
        filter: { due: { gte: '2026-03-01', lt: '2026-09-01' } },
      }),
    ).toEqual({
      '2026-03-28': 1,
      '2026-03-29': 3,
    });
  });

  it.each(['hour', 'day', 'week', 'month', 'quarter', 'year'])(
    'says the same of any time field, by %s',
    async (interval) => {
      expect(await name({ interval, group_by: ['edited_at'] })).toEqual(await name({ interval }));
    },
  );

  it('G-08 sorts the groups of any time field by time, whatever the order in which records are stored', async () => {
    const edits = ['2026-05-02', '2026-05-04', '2026-05-01', '2026-05-03'];
    const stored = await createNotesWorld({
      notes: edits.map((day, at) =>
        note(`n${at}`, { created_at: `2026-01-0${at + 1}T12:00:00Z`, edited_at: `${day}T12:00:00Z` }),
      ),
    });
    const days = async (sort: string) =>
      Object.keys(await name({ interval: 'day', group_by: ['edited_at'], sort }, stored));
    expect(await days('group')).toEqual(edits.toSorted());
    expect(await days('-group')).toEqual(edits.toSorted().reverse());
    stored.close();
  });

  it.each(['hour', 'day', 'week', 'month', 'quarter', 'year'])(
    'says the same where another field is grouped by too, by %s',
    async (interval) => {
      const { groups } = await bucket({ interval, group_by: ['connection_id'], time_zone: 'Asia/Kathmandu' });
      const plain = await bucket({ interval, limit: 200, time_zone: 'Asia/Kathmandu' });
      expect(groups).toEqual(plain.groups.map((group: object) => ({ ...group, connection_id: 'home' })));
    },
  );

  it('counts hours of the day, the two of the same name together, and days of the week', async () => {
    const inMarch = { created_at: { gte: '2026-03-29', lt: '2026-03-30' } };
    expect(await name({ interval: 'hour_of_day', filter: inMarch })).toEqual({
      '00:00': 1,
      '01:00': 1,
      '03:00': 1,
    });
    expect(await name({ interval: 'hour_of_day', filter: { created_at: '2026-10-25' } })).toEqual({
      '01:00': 1,
      '02:00': 2,
      '03:00': 1,
    });
    expect(await name({ interval: 'weekday', filter: inMarch })).toEqual({ Sunday: 3 });
    const filter = { created_at: { gte: '2026-03-28T23:00:00Z', lt: '2026-03-29T22:00:00Z' } };
    expect(await name({ interval: 'weekday', filter, time_zone: 'America/New_York' })).toEqual({
      Saturday: 3,
    });
    expect(await name({ interval: 'weekday', group_by: ['due'] })).toEqual({
      Wednesday: 2,
      Saturday: 2,
      Sunday: 6,
    });
  });

  it('adds up within intervals', async () => {
    expect((await bucket({ interval: 'month', metric: 'sum', field: 'price' })).groups).toEqual([
      { created_at: '2025-12', value: 0, records: 1 },
      { created_at: '2026-01', value: 1, records: 1 },
      { created_at: '2026-03', value: 14, records: 4 },
      { created_at: '2026-10', value: 30, records: 4 },
    ]);
  });

  it('shows the latest intervals, and the earlier ones as one', async () => {
    const data = await bucket({ interval: 'month', limit: 2 });
    expect(data.groups).toEqual([
      { created_at: '2026-03', value: 4 },
      { created_at: '2026-10', value: 4 },
    ]);
    expect(data).toMatchObject({ total: 10, other: { records: 2, value: 2 } });
  });

  it('orders intervals by value or backwards when asked to', async () => {
    expect(Object.keys(await name({ interval: 'day', sort: '-group' }))[0]).toBe('2026-10-25');
    const { groups } = await bucket({ interval: 'day', sort: '-value', limit: 2 });
    expect(groups.map((group: { created_at: string }) => group.created_at)).toEqual([
      '2026-10-25',
      '2026-03-29',
    ]);
  });
});

describe('aggregate by time, where the clocks change at midnight', () => {
  it.each([
    [
      'America/Havana',
      ['2026-03-07T15:00:00Z', '2026-03-08T04:30:00Z', '2026-03-08T15:00:00Z', '2026-03-09T15:00:00Z'],
      { '2026-03-07': 2, '2026-03-08': 1, '2026-03-09': 1 },
    ],
    [
      'America/Santiago',
      ['2026-09-05T15:00:00Z', '2026-09-06T03:30:00Z', '2026-09-06T15:00:00Z'],
      { '2026-09-05': 2, '2026-09-06': 1 },
    ],
    [
      'Africa/Cairo',
      ['2026-04-23T21:30:00Z', '2026-04-23T22:30:00Z', '2026-04-24T12:00:00Z'],
      { '2026-04-23': 1, '2026-04-24': 2 },
    ],
  ])('names days of %s once each', async (timeZone, created, expected) => {
    const own = await createNotesWorld({
      timeZone,
      notes: created.map((created_at, index) => note(`n${index}`, { created_at })),
    });
    expect(await name({ interval: 'day' }, own)).toEqual(expected);
    own.close();
  });
});
