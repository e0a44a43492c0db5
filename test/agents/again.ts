import { type Life, newest, rank, round, sum } from './life.ts';
import { pairs, type Question, records } from './question.ts';

const payments = (life: Life) => life.rows('bank_checking', 'transactions');
const plays = (life: Life) => life.rows('spotify', 'plays');
const mails = (life: Life) => life.rows('gmail_personal', 'messages');
const mail = { stream: 'messages', connection_id: 'gmail' };
const me = 'nora.keller@mail.example';

/** Asked later and in other words, by who had only the list of tools: what misled them is mended. */
export const laterQuestions: Question[] = [
  {
    ask: 'What is on each of my accounts, the most first?',
    calls: [['query_records', { stream: 'accounts', fields: ['name', 'balance'], sort: '-balance' }]],
    answer: (body) => records(body).map(({ name, balance }) => [name, balance]),
    truth: (life) =>
      rank(
        life.rows('bank_checking', 'accounts'),
        (row) => row.name,
        (row) => Number(row.balance),
      ).sort((a, b) => b[1] - a[1]),
  },
  {
    ask: 'What came in and went out of each account, by its name?',
    calls: [
      ['aggregate', { stream: 'transactions', metric: 'sum', field: 'amount', group_by: ['account.name'] }],
    ],
    answer: (body) => Object.fromEntries(pairs(body, 'account.name')),
    truth: (life) => {
      const names = new Map(life.rows('bank_checking', 'accounts').map((row) => [row.id, row.name]));
      return Object.fromEntries(
        rank(
          payments(life),
          (row) => names.get(row.account_id),
          (row) => Number(row.amount),
        ),
      );
    },
  },
  {
    ask: 'On which three days did I spend most?',
    calls: [
      [
        'aggregate',
        {
          stream: 'transactions',
          metric: 'sum',
          field: 'amount',
          interval: 'day',
          sort: 'value',
          limit: 3,
          filter: { amount: { lt: 0 } },
        },
      ],
    ],
    answer: (body) => pairs(body, 'date'),
    truth: (life) =>
      rank(
        payments(life).filter((row) => Number(row.amount) < 0),
        (row) => row.date,
        (row) => Number(row.amount),
      ).slice(0, 3),
  },
  {
    ask: 'Have I ever paid the Kantine? It is not called just that.',
    calls: [
      [
        'aggregate',
        { stream: 'transactions', metric: 'sum', field: 'amount', filter: { merchant: 'Kantine' } },
      ],
      ([seen]) => [
        'aggregate',
        {
          stream: 'transactions',
          metric: 'sum',
          field: 'amount',
          filter: { merchant: seen.data.similar_values.merchant },
        },
      ],
    ],
    answer: (_, body) => body.data.total,
    truth: (life) =>
      sum(
        payments(life).filter((row) => String(row.merchant).includes('Kantine')),
        'amount',
      ),
  },
  {
    ask: 'In how many places have I paid, and how many shops are there in each?',
    calls: [
      [
        'aggregate',
        { stream: 'transactions', metric: 'count_distinct', field: 'merchant', group_by: ['city'] },
      ],
    ],
    answer: (body) => body.data.groups[0],
    truth: (life) => {
      const there = payments(life).filter((row) => row.city === 'Berlin');
      return { city: 'Berlin', value: new Set(there.map((row) => row.merchant)).size, records: there.length };
    },
  },
  {
    ask: 'Did I listen to more in the first half of 2026 or in the second?',
    calls: [
      [
        'aggregate',
        {
          stream: 'plays',
          metric: 'sum',
          field: 'played_ms',
          ranges: { first: { gte: '2026-01-01', lt: '2026-07-01' }, second: { gte: '2026-07-01' } },
        },
      ],
    ],
    answer: (body) =>
      body.data.groups.reduce((all: number, group: { value: number }) => all + group.value, 0),
    truth: (life) =>
      sum(
        plays(life).filter(
          (row) => Date.parse(String(row.played_at)) >= Date.parse('2026-01-01T00:00:00+01:00'),
        ),
        'played_ms',
      ),
  },
  {
    ask: 'Which track of Ghent Elephant did I hear first?',
    calls: [
      [
        'query_records',
        {
          stream: 'plays',
          filter: { artist: { starts_with: 'ghent' } },
          sort: 'played_at',
          fields: ['title'],
          limit: 1,
        },
      ],
    ],
    answer: (body) => records(body)[0].title,
    truth: (life) =>
      plays(life)
        .filter((row) => String(row.artist).startsWith('Ghent'))
        .sort((a, b) => Date.parse(String(a.played_at)) - Date.parse(String(b.played_at)))[0]?.title,
  },
  {
    ask: 'What is the last thing I wrote to Pilar about?',
    calls: [
      [
        'query_records',
        {
          ...mail,
          filter: { from_name: 'me', to: 'pilar.herrera@mail.example' },
          fields: ['subject'],
          limit: 1,
        },
      ],
    ],
    answer: (body) => records(body)[0].subject,
    truth: (life) =>
      newest(
        mails(life).filter(
          (row) => row.from_address === me && (row.to as string[]).includes('pilar.herrera@mail.example'),
        ),
        'sent_at',
      ).subject,
  },
  {
    ask: 'How many meetings did I have with Helena Brandt?',
    calls: [
      [
        'aggregate',
        { stream: 'events', connection_id: 'google_calendar', filter: { attendees: 'Helena Brandt' } },
      ],
    ],
    answer: (body) => body.data.total,
    truth: (life) =>
      life
        .rows('google_calendar', 'events')
        .filter((row) => (row.attendees as string[]).includes('Helena Brandt')).length,
  },
  {
    ask: 'Is there anything on my calendar today?',
    calls: [
      [
        'query_records',
        { stream: 'events', connection_id: 'google_calendar', filter: { starts_at: 'today' } },
      ],
    ],
    answer: (body) => [body.data.length, body.meta.times_understood_as.starts_at.gte.slice(0, 10)],
    truth: () => [0, '2026-11-16'],
  },
  {
    ask: 'Which open issues are mine, and in which repository?',
    calls: [
      [
        'query_records',
        {
          stream: 'issues',
          filter: { author: 'me', state: 'open' },
          fields: ['title'],
          expand: ['repository.name'],
        },
      ],
    ],
    answer: (body) =>
      body.data.map(
        (row: { expanded: { repository: { record: { name: string } } } }) =>
          row.expanded.repository.record.name,
      ),
    truth: (life) =>
      life
        .rows('github', 'issues')
        .filter((row) => row.author === 'nkeller' && row.state === 'open')
        .map((row) => String(row.repository_id).split('/')[1]),
  },
  {
    ask: 'How long did I sleep on average, quarter by quarter?',
    calls: [
      [
        'aggregate',
        { stream: 'samples', metric: 'avg', field: 'value', filter: { type: 'sleep' }, interval: 'quarter' },
      ],
    ],
    answer: (body) => round(body.data.value),
    truth: (life) => {
      const nights = life.rows('apple_health', 'samples').filter((row) => row.type === 'sleep');
      return round(nights.reduce((all, row) => all + Number(row.value), 0) / nights.length);
    },
  },
];
