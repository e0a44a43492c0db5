import {
  type Body,
  groups,
  inOctober,
  local,
  october,
  rank,
  type Suggested,
  within,
} from './suggested-question.ts';

/** Questions about mail, appointments and chats. */
export const aboutPeople: readonly Suggested[] = [
  {
    ask: 'Who wrote to me most in Gmail in October 2026, and what is still open?',
    calls: [
      [
        'aggregate',
        {
          stream: 'messages',
          connection_id: 'gmail_nora',
          group_by: ['from_name'],
          limit: 1,
          filter: { sent_at: october, is_from_me: false },
        },
      ],
      [
        'query_records',
        {
          stream: 'messages',
          connection_id: 'gmail_nora',
          filter: { sent_at: october, is_unread: true },
          fields: ['from_name', 'subject'],
        },
      ],
    ],
    answer: (most, open) => [
      groups(most, 'from_name'),
      open.data.map(({ record }: Body) => record.from_name),
    ],
    expected: [[['Jonas Keller', 4]], ['Praxis Dr. Yilmaz', 'Robotics Reading List']],
    truth: (of) => {
      const mails = of('gmail_nora', 'messages').filter((one) => inOctober(one.sent_at));
      const open = mails.filter((one) => one.is_unread === true).toReversed();
      return [
        rank(
          mails.filter((one) => one.is_from_me === false),
          (one) => one.from_name,
        ).slice(0, 1),
        open.map((one) => one.from_name),
      ];
    },
  },
  {
    ask: 'How many hours of appointments did I have per week in Calendar in October 2026, and with whom?',
    calls: [
      [
        'aggregate',
        {
          stream: 'events',
          metric: 'sum',
          field: 'duration_minutes',
          group_by: ['starts_at'],
          interval: 'week',
          filter: { starts_at: october, is_all_day: false, status: 'confirmed' },
        },
      ],
      [
        'query_records',
        {
          stream: 'events',
          filter: { starts_at: october, is_all_day: false, status: 'confirmed' },
          fields: ['attendees'],
          limit: 100,
        },
      ],
    ],
    answer: (weeks, events) => {
      const people = events.data.flatMap(({ record }: Body) =>
        record.attendees.map((name: string) => ({ name })),
      );
      return [
        groups(weeks, 'starts_at').map(([, minutes]: [string, number]) => minutes / 60),
        rank(
          people.filter(({ name }: Body) => name !== 'Nora Keller'),
          ({ name }) => name,
        ).slice(0, 2),
      ];
    },
    expected: [
      [3.5, 4.75, 9.5, 10.25, 8.75],
      [
        ['Priya Sharma', 9],
        ['Mateo Rossi', 8],
      ],
    ],
    truth: (of) => {
      const events = of('calendar_nora', 'events').filter(
        (one) => inOctober(one.starts_at) && one.is_all_day === false && one.status === 'confirmed',
      );
      const monday = (time: unknown) => {
        const day = new Date(`${local(time).slice(0, 10)}T00:00:00Z`);
        return day.getTime() - ((day.getUTCDay() + 6) % 7) * 86_400_000;
      };
      const weeks = rank(
        events,
        (one) => monday(one.starts_at),
        (one) => Number(one.duration_minutes),
      ).sort((a, b) => Number(a[0]) - Number(b[0]));
      const people = events.flatMap((one) => (one.attendees as string[]).map((name) => ({ name })));
      return [
        weeks.map(([, minutes]) => minutes / 60),
        rank(
          people.filter(({ name }) => name !== 'Nora Keller'),
          ({ name }) => name,
        ).slice(0, 2),
      ];
    },
  },
  {
    ask: 'What were the main topics in WhatsApp in the week to 31 October 2026?',
    calls: [
      [
        'aggregate',
        {
          stream: 'messages',
          connection_id: 'whatsapp_nora',
          group_by: ['chat'],
          filter: { sent_at: { gte: '2026-10-25', lt: '2026-11-01' } },
        },
      ],
      ['search', { query: 'dentist', connection_id: 'whatsapp_nora', since: '2026-10-25' }],
    ],
    answer: (chats, found) => [
      groups(chats, 'chat'),
      found.results.map(({ title, text }: Body) =>
        `${title} ${text}`.replace(/<\/?mark>/g, '').includes('Dentist called'),
      ),
    ],
    expected: [
      [
        ['Tomás', 7],
        ['Mama', 6],
        ['Boulder Tuesday', 4],
        ['Familia Valencia', 4],
        ['Léa', 4],
        ['Book club', 3],
      ],
      [true],
    ],
    truth: (of) => {
      const said = of('whatsapp_nora', 'messages').filter((one) =>
        within('2026-10-25', '2026-11-01')(one.sent_at),
      );
      return [
        rank(said, (one) => one.chat),
        said.filter((one) => /dentist/i.test(String(one.text))).map(() => true),
      ];
    },
  },
];
