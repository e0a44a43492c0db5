import { type Life, localDay, localTime, rank, round } from './life.ts';
import type { Question } from './question.ts';

const payments = (life: Life) => life.rows('bank_checking', 'transactions');
const mails = (life: Life) => life.rows('gmail_personal', 'messages');
const hourOf = (time: unknown) => Number(localTime(time).slice(11, 13));
/** 0 for Sunday. */
const weekdayOf = (time: unknown) => new Date(`${localDay(time)}T12:00:00Z`).getUTCDay();
const isBetween = (time: unknown, from: string, before: string) =>
  localDay(time) >= from && localDay(time) < before;

/** Questions about hours and weekdays, about groups in several periods, and in other words than the records have. */
export const clockAndWordQuestions: Question[] = [
  {
    ask: 'How often did I pay in each category in spring (March to May 2026) and in summer (June to August)?',
    calls: [
      [
        'aggregate',
        {
          stream: 'transactions',
          group_by: ['category'],
          ranges: {
            spring: { gte: '2026-03', lt: '2026-06' },
            summer: { gte: '2026-06', lt: '2026-09' },
          },
        },
      ],
    ],
    answer: (body) =>
      body.data.groups.map(({ range, category, value }: Record<string, unknown>) => [range, category, value]),
    truth: (life) =>
      [
        ['spring', '2026-03-01', '2026-06-01'] as const,
        ['summer', '2026-06-01', '2026-09-01'] as const,
      ].flatMap(([name, from, before]) =>
        rank(
          payments(life).filter((row) => isBetween(row.date, from, before)),
          (row) => row.category,
        ).map(([category, count]) => [name, category, count]),
      ),
  },
  {
    ask: 'How many tracks did I play on Friday evenings, from six to midnight?',
    calls: [
      ['aggregate', { stream: 'plays', filter: { played_at: { weekday: 'friday', hour: { gte: 18 } } } }],
    ],
    answer: (body) => body.data.total,
    truth: (life) =>
      life
        .rows('spotify', 'plays')
        .filter((row) => weekdayOf(row.played_at) === 5 && hourOf(row.played_at) >= 18).length,
  },
  {
    ask: 'How many payments did I make at weekends in 2026?',
    calls: [
      [
        'aggregate',
        {
          stream: 'transactions',
          filter: { date: { weekday: ['saturday', 'sunday'], gte: '2026', lt: '2027' } },
        },
      ],
    ],
    answer: (body) => body.data.total,
    truth: (life) =>
      payments(life).filter(
        (row) => isBetween(row.date, '2026-01-01', '2027-01-01') && [0, 6].includes(weekdayOf(row.date)),
      ).length,
  },
  {
    ask: 'How many mails came at night, between ten in the evening and six in the morning?',
    calls: [
      [
        'aggregate',
        { stream: 'messages', connection_id: 'gmail', filter: { sent_at: { hour: { gte: 22, lt: 6 } } } },
      ],
    ],
    answer: (body) => body.data.total,
    truth: (life) => mails(life).filter((row) => hourOf(row.sent_at) >= 22 || hourOf(row.sent_at) < 6).length,
  },
  {
    ask: 'Has anybody looked after my teeth? The records say it in other words.',
    calls: [
      [
        'search',
        {
          query: 'teeth looked after',
          also: ['dentist', 'dental cleaning', 'Zahnarzt', 'dentista'],
          limit: 3,
        },
      ],
    ],
    answer: (body) => /denti?st|dental|zahn/i.test(body.results[0].title),
    truth: () => true,
  },
  {
    ask: 'Who sent me the mail about the booking for Valencia?',
    calls: [
      [
        'search',
        { query: 'booking confirmation Valencia', streams: ['messages'], connection_id: 'gmail', limit: 1 },
      ],
    ],
    answer: (body) => body.results[0].who.from_name,
    truth: (life) =>
      mails(life).find((row) => /Booking confirmation.*Valencia/.test(String(row.subject)))?.from_name,
  },
  {
    ask: 'What share of my tracks do I play between midnight and five?',
    calls: [
      [
        'aggregate',
        {
          stream: 'plays',
          ranges: { night: { hour: { lt: 5 } }, all: { exists: true } },
        },
      ],
    ],
    answer: (body) => round(body.data.groups[0].value / body.data.groups[1].value),
    truth: (life) => {
      const plays = life.rows('spotify', 'plays');
      return round(plays.filter((row) => hourOf(row.played_at) < 5).length / plays.length);
    },
  },
];
