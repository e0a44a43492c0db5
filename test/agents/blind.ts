import { type Life, localDay, localMonth, localTime, newest, rank, round } from './life.ts';
import { pairs, type Question, records } from './question.ts';

const payments = (life: Life) => life.rows('bank_checking', 'transactions');
const events = (life: Life) => life.rows('google_calendar', 'events');
const workspaces = ['slack_climbing', 'slack_work'];
const channel = (life: Life, name: string) =>
  life.rows('slack_work', 'channels').find((row) => row.name === name)?.id;
const people = (life: Life) => new Map(life.rows('slack_work', 'users').map((row) => [row.id, row.name]));
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const weekday = (time: unknown) => WEEKDAYS[new Date(`${localDay(time)}T12:00:00Z`).getUTCDay()] as string;

/** Asked by who had only the list of tools and the first answer of schema; each cost a call too many, or misled. */
export const blindQuestions: Question[] = [
  {
    ask: 'On which day of the week do I spend the most?',
    calls: [
      [
        'aggregate',
        {
          stream: 'transactions',
          metric: 'sum',
          field: 'amount',
          interval: 'weekday',
          filter: { amount: { lt: 0 } },
          sort: 'value',
          limit: 1,
        },
      ],
    ],
    answer: (body) => pairs(body, 'date'),
    truth: (life) =>
      rank(
        payments(life).filter((row) => Number(row.amount) < 0),
        (row) => weekday(row.date),
        (row) => Number(row.amount),
      ).slice(0, 1),
  },
  {
    ask: 'At which hour of the day do I get most mail?',
    calls: [
      [
        'aggregate',
        { stream: 'messages', connection_id: 'gmail', interval: 'hour_of_day', sort: '-value', limit: 1 },
      ],
    ],
    answer: (body) => pairs(body, 'sent_at'),
    truth: (life) =>
      rank(
        life.rows('gmail_personal', 'messages'),
        (row) => `${localTime(row.sent_at).slice(11, 13)}:00`,
      ).slice(0, 1),
  },
  {
    ask: 'How many messages were written per month in each of the two workspaces since August 2026?',
    calls: [
      [
        'aggregate',
        {
          stream: 'messages',
          connection_id: 'slack',
          group_by: ['connection_id'],
          interval: 'month',
          filter: { sent_at: { gte: '2026-08' } },
        },
      ],
    ],
    answer: (body) =>
      body.data.groups.map(({ sent_at, connection_id, value }: Record<string, unknown>) => [
        sent_at,
        connection_id,
        value,
      ]),
    truth: (life) =>
      workspaces
        .flatMap((id) => rank(life.rows(id, 'messages'), (row) => `${localMonth(row.sent_at)} ${id}`))
        .map(([name, size]) => [...name.split(' '), size])
        .filter(([month]) => String(month) >= '2026-08')
        .sort((a, b) => (`${a[0]}${a[1]}` < `${b[0]}${b[1]}` ? -1 : 1)),
  },
  {
    ask: 'How often did I pay with the credit card in May 2026?',
    calls: [
      ['aggregate', { stream: 'transactions', filter: { account_id: 'credit card', date: '2026-05' } }],
    ],
    answer: (body) => body.data.total,
    truth: (life) =>
      payments(life).filter((row) => row.account_id === 'acc_card' && String(row.date).startsWith('2026-05'))
        .length,
  },
  {
    ask: 'On which day of the week do I play most music?',
    calls: [['aggregate', { stream: 'plays', interval: 'weekday', sort: '-value', limit: 1 }]],
    answer: (body) => pairs(body, 'played_at'),
    truth: (life) => rank(life.rows('spotify', 'plays'), (row) => weekday(row.played_at)).slice(0, 1),
  },
  {
    ask: 'At what time of the day is most written at work?',
    calls: [
      [
        'aggregate',
        {
          stream: 'messages',
          connection_id: 'slack_work',
          interval: 'hour_of_day',
          sort: '-value',
          limit: 1,
        },
      ],
    ],
    answer: (body) => pairs(body, 'sent_at'),
    truth: (life) =>
      rank(life.rows('slack_work', 'messages'), (row) => `${localTime(row.sent_at).slice(11, 13)}:00`).slice(
        0,
        1,
      ),
  },
  {
    ask: 'What is the last thing that I wrote in #general at work?',
    calls: [
      [
        'query_records',
        {
          stream: 'messages',
          connection_id: 'slack_work',
          filter: { user_id: 'me', channel_id: '#general' },
          fields: ['text'],
          limit: 1,
        },
      ],
    ],
    answer: (body) => records(body)[0].text,
    truth: (life) =>
      newest(
        life
          .rows('slack_work', 'messages')
          .filter((row) => row.user_id === 'U0H2048' && row.channel_id === channel(life, 'general')),
        'sent_at',
      ).text,
  },
  {
    ask: 'Who writes most in #firmware, leaving me out?',
    calls: [
      [
        'aggregate',
        {
          stream: 'messages',
          connection_id: 'slack_work',
          group_by: ['user_id'],
          filter: { 'channel.name': 'firmware', user_id: { ne: 'me' } },
          limit: 1,
        },
      ],
    ],
    answer: (body) => body.data.groups[0].value,
    truth: (life) =>
      rank(
        life
          .rows('slack_work', 'messages')
          .filter((row) => row.channel_id === channel(life, 'firmware') && row.user_id !== 'U0H2048'),
        (row) => people(life).get(row.user_id),
      )[0]?.[1],
  },
  {
    ask: 'Which place won the vote about the spring workshop?',
    calls: [
      [
        'query_records',
        {
          stream: 'decision_options',
          filter: { 'decision.title': { contains: 'spring workshop' } },
          sort: '-accept_count',
          fields: ['title', 'accept_count'],
        },
      ],
    ],
    answer: (body) => records(body).map(({ title, accept_count }) => [title, accept_count])[0],
    truth: (life) => {
      const ids = life
        .rows('harmonic', 'decisions')
        .filter((row) => String(row.title).includes('spring workshop'))
        .map((row) => row.decision_id);
      const options = life
        .rows('harmonic', 'decision_options')
        .filter((row) => ids.includes(row.decision_id));
      const best = options.sort((a, b) => Number(b.accept_count) - Number(a.accept_count))[0];
      return [best?.title, best?.accept_count];
    },
  },
  {
    ask: 'Which was my longest appointment that did not take all day?',
    calls: [
      [
        'query_records',
        {
          stream: 'events',
          connection_id: 'google_calendar',
          filter: { is_all_day: false },
          sort: '-duration_minutes',
          fields: ['title', 'duration_minutes'],
          limit: 1,
        },
      ],
    ],
    answer: (body) => records(body)[0].duration_minutes,
    truth: (life) =>
      Math.max(
        ...events(life)
          .filter((row) => row.is_all_day === false)
          .map((row) => (Date.parse(String(row.ends_at)) - Date.parse(String(row.starts_at))) / 60_000),
      ),
  },
  {
    ask: 'How many hours did I sit in appointments at work, month by month, in the third quarter of 2026?',
    calls: [
      [
        'aggregate',
        {
          stream: 'events',
          connection_id: 'google_calendar',
          metric: 'sum',
          field: 'duration_minutes',
          interval: 'month',
          filter: { calendar: 'work', is_all_day: false, starts_at: '2026-Q3' },
        },
      ],
    ],
    answer: (body) => pairs(body, 'starts_at').map(([month, minutes]) => [month, round(minutes / 60)]),
    truth: (life) =>
      rank(
        events(life).filter((row) => row.calendar === 'work' && row.is_all_day === false),
        (row) => localMonth(row.starts_at),
        (row) => (Date.parse(String(row.ends_at)) - Date.parse(String(row.starts_at))) / 60_000,
      )
        .filter(([month]) => ['2026-07', '2026-08', '2026-09'].includes(month))
        .sort((a, b) => (a[0] < b[0] ? -1 : 1))
        .map(([month, minutes]) => [month, round(minutes / 60)]),
  },
  {
    ask: 'How many mails came with a file?',
    calls: [
      [
        'aggregate',
        { stream: 'messages', connection_id: 'gmail', filter: { attachment_names: { exists: true } } },
      ],
    ],
    answer: (body) => body.data.total,
    truth: (life) =>
      life.rows('gmail_personal', 'messages').filter((row) => (row.attachment ?? null) !== null).length,
  },
  {
    ask: 'Which are my three longest talks with ChatGPT, and are there others as long?',
    calls: [
      [
        'query_records',
        { stream: 'conversations', sort: '-message_count', fields: ['message_count'], limit: 4 },
      ],
    ],
    answer: (body) => records(body).map(({ message_count }) => message_count),
    truth: (life) =>
      life
        .rows('chatgpt', 'conversations')
        .map((row) => Number(row.message_count))
        .sort((a, b) => b - a)
        .slice(0, 4),
  },
];
