import { type Life, localDay, localMonth, localTime, newest, rank } from './life.ts';
import { pairs, type Question, records } from './question.ts';

const SLACKS = ['slack_work', 'slack_climbing'];
const chats = (life: Life) => SLACKS.flatMap((id) => life.rows(id, 'messages'));
const mails = (life: Life) => life.rows('gmail_personal', 'messages');
const nameOf = (life: Life, connection: string, stream: string, id: unknown) =>
  life.rows(connection, stream).find((row) => row.id === id)?.name;

export const talkQuestions: Question[] = [
  {
    ask: 'Which channels of the two Slack workspaces have the most messages?',
    calls: [
      ['aggregate', { stream: 'messages', connection_id: 'slack', group_by: ['channel_id'], limit: 3 }],
    ],
    answer: (body) => pairs(body, 'channel_id'),
    truth: (life) =>
      SLACKS.flatMap((id) =>
        rank(life.rows(id, 'messages'), (row) => row.channel_id).map(([channel, count]) => [
          nameOf(life, id, 'channels', channel),
          count,
        ]),
      )
        .sort((a, b) => Number(b[1]) - Number(a[1]))
        .slice(0, 3),
  },
  {
    ask: 'How many messages does each Slack workspace have?',
    calls: [['aggregate', { stream: 'messages', connection_id: 'slack', group_by: ['connection_id'] }]],
    answer: (body) => pairs(body, 'connection_id'),
    truth: (life) => SLACKS.map((id) => [id, life.rows(id, 'messages').length]),
  },
  {
    ask: 'Who writes most at work?',
    calls: [
      ['aggregate', { stream: 'messages', connection_id: 'slack_work', group_by: ['user.name'], limit: 3 }],
    ],
    answer: (body) => pairs(body, 'user.name'),
    truth: (life) =>
      rank(life.rows('slack_work', 'messages'), (row) =>
        nameOf(life, 'slack_work', 'users', row.user_id),
      ).slice(0, 3),
  },
  {
    ask: 'What was the last thing written in #incidents at work, and by whom?',
    calls: [
      (_) => [
        'query_records',
        {
          stream: 'messages',
          connection_id: 'slack_work',
          filter: { channel_id: 'C0H1320' },
          fields: ['text', 'sent_at'],
          expand: ['user.name'],
          limit: 1,
        },
      ],
    ],
    answer: (body) => [records(body)[0].text, body.data[0].expanded.user.record.name],
    truth: (life) => {
      const id = life.rows('slack_work', 'channels').find((row) => row.name === 'incidents')?.id;
      const last = newest(
        life.rows('slack_work', 'messages').filter((row) => row.channel_id === id),
        'sent_at',
      );
      return [last.text, nameOf(life, 'slack_work', 'users', last.user_id)];
    },
  },
  {
    ask: 'How many Slack messages were written per month in 2026?',
    calls: [
      [
        'aggregate',
        {
          stream: 'messages',
          connection_id: 'slack',
          interval: 'month',
          filter: { sent_at: { gte: '2026-01-01', lt: '2027-01-01' } },
        },
      ],
    ],
    answer: (body) => pairs(body, 'sent_at').sort(),
    truth: (life) =>
      rank(
        chats(life).filter((row) => localMonth(row.sent_at) >= '2026-01'),
        (row) => localMonth(row.sent_at),
      ).sort(),
  },
  {
    ask: 'On which day, by Tokyo time, were most Slack messages written?',
    calls: [
      [
        'aggregate',
        {
          stream: 'messages',
          connection_id: 'slack',
          interval: 'day',
          time_zone: 'Asia/Tokyo',
          sort: '-value',
          limit: 1,
        },
      ],
    ],
    answer: (body) => body.data.groups[0].value,
    truth: (life) => {
      const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Tokyo', dateStyle: 'short' });
      return rank(chats(life), (row) => day.format(new Date(String(row.sent_at))))[0]?.[1];
    },
  },
  {
    ask: 'Which messages at work got the most replies?',
    calls: [
      [
        'query_records',
        {
          stream: 'messages',
          connection_id: 'slack_work',
          sort: '-reply_count',
          fields: ['text', 'reply_count'],
          limit: 3,
        },
      ],
    ],
    answer: (body) => records(body).map((record) => record.reply_count),
    truth: (life) =>
      life
        .rows('slack_work', 'messages')
        .map((row) => Number(row.reply_count))
        .sort((a, b) => b - a)
        .slice(0, 3),
  },
  {
    ask: 'Who sent me the most mails, apart from myself?',
    calls: [
      [
        'aggregate',
        {
          stream: 'messages',
          connection_id: 'gmail_personal',
          group_by: ['from_name'],
          filter: { from_name: { ne: 'Nora Keller' } },
          limit: 3,
        },
      ],
    ],
    answer: (body) => pairs(body, 'from_name').map(([, count]) => count),
    truth: (life) =>
      rank(
        mails(life).filter((row) => row.from_name !== 'Nora Keller'),
        (row) => row.from_name,
      )
        .slice(0, 3)
        .map(([, count]) => count),
  },
  {
    ask: 'What is the latest mail from Tomás about?',
    calls: [
      [
        'query_records',
        {
          stream: 'messages',
          connection_id: 'gmail_personal',
          filter: { from_name: 'Tomás Herrera' },
          fields: ['subject', 'sent_at'],
          limit: 1,
        },
      ],
    ],
    answer: (body) => records(body)[0].subject,
    truth: (life) =>
      newest(
        mails(life).filter((row) => row.from_name === 'Tomás Herrera'),
        'sent_at',
      ).subject,
  },
  {
    ask: 'How many unread mails do I have?',
    calls: [
      ['aggregate', { stream: 'messages', connection_id: 'gmail_personal', filter: { is_unread: true } }],
    ],
    answer: (body) => body.data.total,
    truth: (life) => mails(life).filter((row) => row.is_unread === true).length,
  },
  {
    ask: 'Which mail threads are the longest?',
    calls: [
      [
        'query_records',
        { stream: 'threads', sort: '-message_count', fields: ['subject', 'message_count'], limit: 3 },
      ],
    ],
    answer: (body) => records(body).map((record) => record.message_count),
    truth: (life) =>
      life
        .rows('gmail_personal', 'threads')
        .map((row) => Number(row.message_count))
        .sort((a, b) => b - a)
        .slice(0, 3),
  },
  {
    ask: 'In which languages do I get mail?',
    calls: [['aggregate', { stream: 'messages', connection_id: 'gmail_personal', group_by: ['language'] }]],
    answer: (body) => pairs(body, 'language'),
    truth: (life) => rank(mails(life), (row) => row.language),
  },
  {
    ask: 'How many mails came on 1 May 2026, my day?',
    calls: [
      [
        'aggregate',
        { stream: 'messages', connection_id: 'gmail_personal', filter: { sent_at: '2026-05-01' } },
      ],
    ],
    answer: (body) => body.data.total,
    truth: (life) => mails(life).filter((row) => localDay(row.sent_at) === '2026-05-01').length,
  },
  {
    ask: 'How many mails carry the label RECEIPTS?',
    calls: [
      ['aggregate', { stream: 'messages', connection_id: 'gmail_personal', filter: { labels: 'RECEIPTS' } }],
    ],
    answer: (body) => body.data.total,
    truth: (life) => mails(life).filter((row) => (row.labels as string[]).includes('RECEIPTS')).length,
  },
  {
    ask: 'What was my newest ChatGPT conversation called, and when did it begin?',
    calls: [['query_records', { stream: 'conversations', limit: 1 }]],
    answer: (body) => records(body)[0].title,
    truth: (life) => newest(life.rows('chatgpt', 'conversations'), 'updated_at').title,
  },
  {
    ask: 'How often did I and how often did ChatGPT write?',
    calls: [['aggregate', { stream: 'messages', connection_id: 'chatgpt', group_by: ['role'] }]],
    answer: (body) => pairs(body, 'role'),
    truth: (life) => rank(life.rows('chatgpt', 'messages'), (row) => row.role),
  },
  {
    ask: 'When was the first Slack message of all?',
    calls: [['aggregate', { stream: 'messages', connection_id: 'slack', metric: 'min', field: 'sent_at' }]],
    answer: (body) => localTime(body.data.value),
    truth: (life) =>
      chats(life)
        .map((row) => localTime(row.sent_at))
        .sort()[0],
  },
];
