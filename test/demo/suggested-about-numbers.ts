import {
  type Body,
  groups,
  inOctober,
  local,
  october,
  rank,
  round,
  type Suggested,
  within,
} from './suggested-question.ts';

/** Questions about money, music and health. */
export const aboutNumbers: readonly Suggested[] = [
  {
    ask: 'Where did my money go in October 2026? Add up my Nordbank transactions by category, each currency by itself.',
    calls: [
      [
        'aggregate',
        {
          stream: 'transactions',
          connection_id: 'nordbank_nora',
          metric: 'sum',
          field: 'amount',
          group_by: ['category', 'currency'],
          sort: 'value',
          filter: { date: october, amount: { lt: 0 } },
        },
      ],
    ],
    answer: (sums) =>
      sums.data.groups.slice(0, 4).map((one: Body) => [one.category, one.currency, one.value]),
    expected: [
      ['housing', 'EUR', -1700],
      ['shopping', 'EUR', -1101.7],
      ['savings', 'EUR', -1000],
      ['travel', 'EUR', -294.4],
    ],
    truth: (of) => {
      const spent = of('nordbank_nora', 'transactions').filter(
        (one) => inOctober(one.date) && Number(one.amount) < 0,
      );
      return rank(
        spent,
        (one) => one.category,
        (one) => Number(one.amount),
      )
        .toReversed()
        .slice(0, 4)
        .map(([category, value]) => [category, 'EUR', value]);
    },
  },
  {
    ask: 'Which artists did I play most in 2026 on Spotify, month by month?',
    calls: [
      [
        'aggregate',
        {
          stream: 'plays',
          group_by: ['artist'],
          limit: 3,
          filter: { played_at: { gte: '2026-01-01', lt: '2027-01-01' } },
        },
      ],
      [
        'aggregate',
        {
          stream: 'plays',
          group_by: ['played_at'],
          interval: 'month',
          filter: { played_at: { gte: '2026-01-01' }, artist: 'Vetusta Morla' },
        },
      ],
    ],
    answer: (most, months) => [
      groups(most, 'artist'),
      groups(months, 'played_at').toSorted((a: Body, b: Body) => b[1] - a[1])[0],
    ],
    expected: [
      [
        ['Nils Frahm', 110],
        ['Big Thief', 80],
        ['Robyn', 78],
      ],
      ['2026-06', 17],
    ],
    truth: (of) => {
      const plays = of('spotify_nora', 'plays').filter((one) =>
        within('2026-01-01', '2027-01-01')(one.played_at),
      );
      const months = rank(
        plays.filter((one) => one.artist === 'Vetusta Morla'),
        (one) => local(one.played_at).slice(0, 7),
      );
      return [rank(plays, (one) => one.artist).slice(0, 3), months[0]];
    },
  },
  {
    ask: 'How have my Apple Health numbers changed over the six months to October 2026?',
    calls: [
      [
        'aggregate',
        {
          stream: 'samples',
          metric: 'avg',
          field: 'value',
          group_by: ['started_at'],
          interval: 'month',
          filter: { type: 'resting_heart_rate', started_at: { gte: '2026-05-01', lt: '2026-11-01' } },
        },
      ],
      [
        'aggregate',
        {
          stream: 'workouts',
          metric: 'sum',
          field: 'distance',
          group_by: ['started_at'],
          interval: 'month',
          filter: { name: 'Running', started_at: { gte: '2026-05-01', lt: '2026-11-01' } },
        },
      ],
    ],
    answer: (rates, runs) =>
      [groups(rates, 'started_at'), groups(runs, 'started_at')].map((months) =>
        months.map(([, value]: [string, number]) => round(value)),
      ),
    expected: [
      [61, 61.25, 59.5, 58.8, 57.75, 56.75],
      [30.74, 40.67, 46.56, 67.97, 57.77, 40.71],
    ],
    truth: (of) => {
      const month = (one: Record<string, unknown>) => local(one.started_at).slice(0, 7);
      const since = within('2026-05-01', '2026-11-01');
      const rates = of('health_nora', 'samples').filter(
        (one) => one.type === 'resting_heart_rate' && since(one.started_at),
      );
      const counts = new Map(rank(rates, month));
      const means = rank(rates, month, (one) => Number(one.value)).map(
        ([name, sum]) => [name, round(sum / (counts.get(name) ?? 1))] as const,
      );
      const runs = of('health_nora', 'workouts').filter(
        (one) => one.name === 'Running' && since(one.started_at),
      );
      const byMonth = (pairs: readonly (readonly [unknown, number])[]) =>
        pairs.toSorted((a, b) => String(a[0]).localeCompare(String(b[0]))).map(([, value]) => value);
      return [byMonth(means), byMonth(rank(runs, month, (one) => Number(one.distance)))];
    },
  },
];
