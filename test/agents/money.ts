import { type Life, localMonth, newest, type Row, rank, round, sum } from './life.ts';
import { pairs, type Question, records } from './question.ts';

const payments = (life: Life) => life.rows('bank_checking', 'transactions');
const spent = (life: Life) => payments(life).filter((row) => Number(row.amount) < 0);
const inMonth = (month: string) => (row: Row) => localMonth(row.date) === month;
const is = (field: string, value: unknown) => (row: Row) => row[field] === value;

export const moneyQuestions: Question[] = [
  {
    ask: 'How much did I spend on groceries in May 2026?',
    calls: [
      [
        'aggregate',
        {
          stream: 'transactions',
          metric: 'sum',
          field: 'amount',
          filter: { category: 'groceries', date: { gte: '2026-05-01', lt: '2026-06-01' } },
        },
      ],
    ],
    answer: (body) => body.data.total,
    truth: (life) =>
      sum(payments(life).filter(is('category', 'groceries')).filter(inMonth('2026-05')), 'amount'),
  },
  {
    ask: 'What are the five categories I spend most on?',
    calls: [
      [
        'aggregate',
        {
          stream: 'transactions',
          metric: 'sum',
          field: 'amount',
          group_by: ['category'],
          filter: { amount: { lt: 0 } },
          limit: 5,
        },
      ],
    ],
    answer: (body) => pairs(body, 'category'),
    truth: (life) =>
      rank(
        spent(life),
        (row) => row.category,
        (row) => Number(row.amount),
      ).slice(0, 5),
  },
  {
    ask: 'Did I spend more on restaurants this summer (June to August 2026) than in spring (March to May)?',
    calls: [
      [
        'aggregate',
        {
          stream: 'transactions',
          metric: 'sum',
          field: 'amount',
          filter: { category: 'restaurants' },
          ranges: {
            spring: { gte: '2026-03-01', lt: '2026-06-01' },
            summer: { gte: '2026-06-01', lt: '2026-09-01' },
          },
        },
      ],
    ],
    answer: (body) => pairs(body, 'range'),
    truth: (life) =>
      [
        ['spring', '2026-03', '2026-05'],
        ['summer', '2026-06', '2026-08'],
      ].map(([name, first, last]) => [
        name,
        sum(
          payments(life).filter(
            (row) =>
              row.category === 'restaurants' &&
              localMonth(row.date) >= String(first) &&
              localMonth(row.date) <= String(last),
          ),
          'amount',
        ),
      ]),
  },
  {
    ask: 'What was my single largest expense?',
    calls: [
      [
        'query_records',
        { stream: 'transactions', sort: 'amount', limit: 1, fields: ['merchant', 'amount', 'date'] },
      ],
    ],
    answer: (body) => records(body)[0].amount,
    truth: (life) => Math.min(...payments(life).map((row) => Number(row.amount))),
  },
  {
    ask: 'How did my restaurant spending go, month by month?',
    calls: [
      [
        'aggregate',
        {
          stream: 'transactions',
          metric: 'sum',
          field: 'amount',
          interval: 'month',
          filter: { category: 'restaurants' },
        },
      ],
    ],
    answer: (body) => pairs(body, 'date').sort(),
    truth: (life) =>
      rank(
        payments(life).filter(is('category', 'restaurants')),
        (row) => localMonth(row.date),
        (row) => Number(row.amount),
      ).sort(),
  },
  {
    ask: 'How many different shops and people have I paid?',
    calls: [
      [
        'aggregate',
        {
          stream: 'transactions',
          metric: 'count_distinct',
          field: 'merchant',
          filter: { amount: { lt: 0 } },
        },
      ],
    ],
    answer: (body) => body.data.total,
    truth: (life) => new Set(spent(life).map((row) => row.merchant)).size,
  },
  {
    ask: 'What is my average card payment in Berlin?',
    calls: [
      [
        'aggregate',
        {
          stream: 'transactions',
          metric: 'avg',
          field: 'amount',
          filter: { method: 'card', city: 'Berlin', amount: { lt: 0 } },
        },
      ],
    ],
    answer: (body) => round(body.data.value),
    truth: (life) => {
      const own = spent(life).filter((row) => row.method === 'card' && row.city === 'Berlin');
      return round(own.reduce((total, row) => total + Number(row.amount), 0) / own.length);
    },
  },
  {
    ask: 'Which payments of mine are still pending?',
    calls: [
      [
        'query_records',
        {
          stream: 'transactions',
          filter: { status: 'pending' },
          fields: ['merchant', 'amount', 'date'],
          count: 'exact',
          limit: 5,
        },
      ],
    ],
    answer: (body) => body.count,
    truth: (life) => payments(life).filter(is('status', 'pending')).length,
  },
  {
    ask: 'How much came in and how much went out in September 2026, without transfers to my savings?',
    calls: [
      [
        'aggregate',
        {
          stream: 'transactions',
          metric: 'sum',
          field: 'amount',
          group_by: ['category'],
          filter: { category: { ne: ['savings'] }, date: { gte: '2026-09-01', lt: '2026-10-01' } },
          limit: 50,
        },
      ],
    ],
    answer: (body) => round(pairs(body, 'category').reduce((total, [, value]) => total + value, 0)),
    truth: (life) =>
      sum(
        payments(life).filter((row) => row.category !== 'savings' && inMonth('2026-09')(row)),
        'amount',
      ),
  },
  {
    ask: 'In which account do I have how many movements, by the name of the account?',
    calls: [['aggregate', { stream: 'transactions', group_by: ['account.name'] }]],
    answer: (body) => pairs(body, 'account.name'),
    truth: (life) => {
      const names = new Map(life.rows('bank_checking', 'accounts').map((row) => [row.id, row.name]));
      return rank(payments(life), (row) => names.get(row.account_id));
    },
  },
  {
    ask: 'Which merchants whose name begins with "Hotel" have I paid?',
    calls: [
      [
        'aggregate',
        { stream: 'transactions', group_by: ['merchant'], filter: { merchant: { starts_with: 'Hotel' } } },
      ],
    ],
    answer: (body) => pairs(body, 'merchant').sort(),
    truth: (life) =>
      rank(
        payments(life).filter((row) => String(row.merchant).startsWith('Hotel')),
        (row) => row.merchant,
      ).sort(),
  },
  {
    ask: 'When did I last pay Nordwind Air, and how much?',
    calls: [
      [
        'query_records',
        {
          stream: 'transactions',
          filter: { merchant: 'Nordwind Air' },
          fields: ['date', 'amount'],
          limit: 1,
        },
      ],
    ],
    answer: (body) => records(body)[0],
    truth: (life) => {
      const { date, amount } = newest(payments(life).filter(is('merchant', 'Nordwind Air')), 'date');
      return { date, amount };
    },
  },
];
