import { type Life, localMonth, newest, rank } from './life.ts';
import { pairs, type Question, records } from './question.ts';

const issues = (life: Life) => life.rows('github', 'issues');
const mails = (life: Life) => life.rows('gmail_personal', 'messages');

export const workQuestions: Question[] = [
  {
    ask: 'How many issues are open in each repository?',
    calls: [
      [
        'aggregate',
        { stream: 'issues', connection_id: 'github', group_by: ['repository_id'], filter: { state: 'open' } },
      ],
    ],
    answer: (body) => body.data.groups.map((group: { value: number }) => group.value),
    truth: (life) =>
      rank(
        issues(life).filter((row) => row.state === 'open'),
        (row) => row.repository_id,
      ).map(([, count]) => count),
  },
  {
    ask: 'What is the newest open issue called, and who wrote it?',
    calls: [
      [
        'query_records',
        {
          stream: 'issues',
          connection_id: 'github',
          filter: { state: 'open' },
          fields: ['title', 'author'],
          limit: 1,
        },
      ],
    ],
    answer: (body) => records(body)[0],
    truth: (life) => {
      const { title, author } = newest(
        issues(life).filter((row) => row.state === 'open'),
        'created_at',
      );
      return { title, author };
    },
  },
  {
    ask: 'How many issues were never closed?',
    calls: [
      ['aggregate', { stream: 'issues', connection_id: 'github', filter: { closed_at: { exists: false } } }],
    ],
    answer: (body) => body.data.total,
    truth: (life) => issues(life).filter((row) => row.closed_at === null).length,
  },
  {
    ask: 'How many issues were opened per quarter?',
    calls: [['aggregate', { stream: 'issues', connection_id: 'github', interval: 'quarter' }]],
    answer: (body) =>
      body.data.groups.reduce((total: number, group: { value: number }) => total + group.value, 0),
    truth: (life) => issues(life).length,
  },
  {
    ask: 'Show the comments of the issue with the most comments.',
    calls: [
      [
        'query_records',
        {
          stream: 'issues',
          connection_id: 'github',
          sort: '-comment_count',
          fields: ['title', 'comment_count'],
          expand: ['comments'],
          limit: 1,
        },
      ],
    ],
    answer: (body) => body.data[0].expanded.comments.total,
    truth: (life) => Math.max(...issues(life).map((row) => Number(row.comment_count))),
  },
  {
    ask: 'How does the last mail from Tomás end?',
    calls: [
      [
        'query_records',
        {
          stream: 'messages',
          connection_id: 'gmail_personal',
          filter: { from_name: 'Tomás Herrera' },
          fields: ['subject'],
          limit: 1,
        },
      ],
      ([mail]) => ['fetch', { id: mail.data[0].id, field: 'body', offset: -60 }],
    ],
    answer: (_, end) => end.text,
    truth: (life) =>
      String(
        newest(
          mails(life).filter((row) => row.from_name === 'Tomás Herrera'),
          'sent_at',
        ).body,
      ).slice(-60),
  },
  {
    ask: 'What does the mail about the booking for Valencia say about Valencia itself?',
    calls: [
      ['search', { query: 'booking Valencia', connection_id: 'gmail_personal', limit: 1 }],
      ([found]) => ['fetch', { id: found.results[0].id, field: 'body', query: 'Valencia' }],
    ],
    answer: (_, passage) => [passage.metadata.query_found, passage.text.includes('Valencia')],
    truth: () => [true, true],
  },
  {
    ask: 'Do I have anything about xylophonists? What was looked through?',
    calls: [['search', { query: 'xylophonist' }]],
    answer: (body) => [body.results.length, Object.keys(body.searched.streams).length > 0],
    truth: () => [0, true],
  },
  {
    ask: 'Which tools of the team have errors noted, and how many?',
    calls: [['aggregate', { stream: 'errors' }]],
    answer: (body) => body.data.total,
    truth: (life) => life.rows('foundry_mcp', 'errors').length,
  },
  {
    ask: 'How many tasks does each spec have, by its title?',
    calls: [
      ['aggregate', { stream: 'tasks', connection_id: 'foundry_mcp', group_by: ['spec_id'], limit: 10 }],
    ],
    answer: (body) => pairs(body, 'spec_id').sort(),
    truth: (life) => {
      const titles = new Map(
        life.rows('foundry_mcp', 'specs').map((row) => [row.spec_id ?? row.id, row.title]),
      );
      return rank(life.rows('foundry_mcp', 'tasks'), (row) => titles.get(row.spec_id)).sort();
    },
  },
  {
    ask: 'In which months was something reviewed?',
    calls: [['aggregate', { stream: 'reviews', interval: 'month' }]],
    answer: (body) =>
      pairs(body, 'created_at')
        .map(([month]) => month)
        .sort(),
    truth: (life) =>
      [...new Set(life.rows('foundry', 'reviews').map((row) => localMonth(row.created_at)))].sort(),
  },
];
