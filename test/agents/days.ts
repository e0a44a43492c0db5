import { type Life, localDay, localMonth, newest, type Row, rank, round, sum } from './life.ts';
import { pairs, type Question, records } from './question.ts';

const events = (life: Life) => life.rows('google_calendar', 'events');
const plays = (life: Life) => life.rows('spotify', 'plays');
const samples = (life: Life, type: string) =>
  life.rows('apple_health', 'samples').filter((row) => row.type === type);
const mean = (rows: readonly Row[]) =>
  round(rows.reduce((total, row) => total + Number(row.value), 0) / rows.length);

export const dayQuestions: Question[] = [
  {
    ask: 'When was my last appointment at the dentist?',
    calls: [
      ['search', { query: 'dentist', streams: ['events'], connection_id: 'google_calendar', limit: 50 }],
    ],
    answer: (body) =>
      body.results
        .filter((hit: { title: string }) => /dentist/i.test(hit.title.replaceAll(/<\/?mark>/g, '')))
        .map((hit: { time: string }) => localDay(hit.time))
        .sort()
        .at(-1),
    truth: (life) =>
      localDay(
        newest(
          events(life).filter((row) => /dentist/i.test(String(row.title))),
          'starts_at',
        ).starts_at,
      ),
  },
  {
    ask: 'How many dates stand in each calendar?',
    calls: [['aggregate', { stream: 'events', connection_id: 'google_calendar', group_by: ['calendar'] }]],
    answer: (body) => pairs(body, 'calendar'),
    truth: (life) => rank(events(life), (row) => row.calendar),
  },
  {
    ask: 'Which dates of mine were cancelled in 2026?',
    calls: [
      [
        'query_records',
        {
          stream: 'events',
          connection_id: 'google_calendar',
          filter: { status: 'cancelled', starts_at: { gte: '2026-01-01', lt: '2027-01-01' } },
          fields: ['title', 'starts_at'],
          count: 'exact',
          limit: 10,
        },
      ],
    ],
    answer: (body) => body.count,
    truth: (life) =>
      events(life).filter((row) => row.status === 'cancelled' && localMonth(row.starts_at) >= '2026-01')
        .length,
  },
  {
    ask: 'What was on my calendar on the first day of the trip to Valencia (8 August 2026)?',
    calls: [
      [
        'query_records',
        {
          stream: 'events',
          connection_id: 'google_calendar',
          filter: { starts_at: '2026-08-08' },
          fields: ['title', 'starts_at'],
        },
      ],
    ],
    answer: (body) =>
      records(body)
        .map((record) => record.title)
        .sort(),
    truth: (life) =>
      events(life)
        .filter((row) => localDay(row.starts_at) === '2026-08-08')
        .map((row) => row.title)
        .sort(),
  },
  {
    ask: 'Who were my five most played artists?',
    calls: [['aggregate', { stream: 'plays', group_by: ['artist'], limit: 5 }]],
    answer: (body) => pairs(body, 'artist').map(([, count]) => count),
    truth: (life) =>
      rank(plays(life), (row) => row.artist)
        .slice(0, 5)
        .map(([, count]) => count),
  },
  {
    ask: 'How many hours of music did I listen to in 2026?',
    calls: [
      [
        'aggregate',
        {
          stream: 'plays',
          metric: 'sum',
          field: 'played_ms',
          filter: { played_at: { gte: '2026-01-01', lt: '2027-01-01' } },
        },
      ],
    ],
    answer: (body) => body.data.total,
    truth: (life) =>
      sum(
        plays(life).filter((row) => localMonth(row.played_at) >= '2026-01'),
        'played_ms',
      ),
  },
  {
    ask: 'What share of tracks do I skip?',
    calls: [['aggregate', { stream: 'plays', group_by: ['is_skipped'] }]],
    answer: (body) => pairs(body, 'is_skipped'),
    truth: (life) => rank(plays(life), (row) => row.is_skipped),
  },
  {
    ask: 'Which genres do I play on which device most?',
    calls: [['aggregate', { stream: 'plays', group_by: ['genre', 'device'], limit: 3 }]],
    answer: (body) => body.data.groups.map((group: { value: number }) => group.value),
    truth: (life) =>
      rank(plays(life), (row) => `${row.genre} ${row.device}`)
        .slice(0, 3)
        .map(([, count]) => count),
  },
  {
    ask: 'What did I listen to last?',
    calls: [['query_records', { stream: 'plays', fields: ['title', 'artist', 'played_at'], limit: 1 }]],
    answer: (body) => records(body)[0].title,
    truth: (life) => newest(plays(life), 'played_at').title,
  },
  {
    ask: 'How long did I sleep on average, month by month?',
    calls: [
      [
        'aggregate',
        { stream: 'samples', metric: 'avg', field: 'value', interval: 'month', filter: { type: 'sleep' } },
      ],
    ],
    answer: (body) =>
      pairs(body, 'started_at')
        .map(([month, value]) => [month, round(value)])
        .sort(),
    truth: (life) => {
      const nights = samples(life, 'sleep');
      const months = [...new Set(nights.map((row) => localMonth(row.started_at)))];
      return months
        .map((month) => [month, mean(nights.filter((row) => localMonth(row.started_at) === month))])
        .sort();
    },
  },
  {
    ask: 'What are my totals by kind of measurement? They must not be added up over kinds.',
    calls: [
      [
        'aggregate',
        { stream: 'samples', metric: 'sum', field: 'value', group_by: ['type', 'unit'], limit: 20 },
      ],
    ],
    answer: (body) =>
      body.data.groups
        .map((group: { type: string; unit: string; value: number }) => [
          `${group.type} ${group.unit}`,
          round(group.value),
        ])
        .sort(),
    truth: (life) =>
      rank(
        life.rows('apple_health', 'samples'),
        (row) => `${row.type} ${row.unit}`,
        (row) => Number(row.value),
      ).sort(),
  },
  {
    ask: 'A careless sum over kilometres, kilograms and beats: does the answer warn?',
    calls: [['aggregate', { stream: 'samples', metric: 'sum', field: 'value' }]],
    answer: (body) => body.meta.warnings.includes('mixed_units'),
    truth: (life) => new Set(life.rows('apple_health', 'samples').map((row) => row.unit)).size > 1,
  },
  {
    ask: 'How much did I weigh at the last weighing, and at the first?',
    calls: [
      [
        'query_records',
        { stream: 'samples', filter: { type: 'body_mass' }, fields: ['value', 'unit'], limit: 1 },
      ],
      [
        'query_records',
        {
          stream: 'samples',
          filter: { type: 'body_mass' },
          fields: ['value', 'unit'],
          sort: 'started_at',
          limit: 1,
        },
      ],
    ],
    answer: (last, first) => [records(last)[0].value, records(first)[0].value],
    truth: (life) => {
      const all = samples(life, 'body_mass').sort(
        (a, b) => Date.parse(String(a.started_at)) - Date.parse(String(b.started_at)),
      );
      return [all.at(-1)?.value, all[0]?.value];
    },
  },
  {
    ask: 'How many times did I train?',
    calls: [
      [
        'aggregate',
        { stream: 'samples', interval: 'day', filter: { type: 'workout' }, sort: '-value', limit: 1 },
      ],
    ],
    answer: (body) => body.data.total,
    truth: (life) => samples(life, 'workout').length,
  },
];
