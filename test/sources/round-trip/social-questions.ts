import type { Questions } from './question.ts';

/** Chats and posts of social networks. */
export const socialQuestions: readonly Questions[] = [
  {
    given: 'telegram/html',
    perMonth: { stream: 'messages', by: 'sent_at', months: { '2026-01': 6, '2026-02': 5 } },
    last: { stream: 'messages', of: { forwarded_from: 'Harbour News' }, shows: { text: 'By an hour' } },
    phrase: { words: 'ferry is late', stream: 'messages', document: ['Harbour News', 'Bo'] },
    total: { stream: 'messages', metric: 'sum', field: 'duration_seconds', is: 5 },
  },
  {
    given: 'tiktok/old',
    perMonth: { stream: 'viewing', by: 'watched_at', months: { '2023-05': 1, '2023-06': 1 } },
    last: { stream: 'messages', of: { sender: 'cleo' }, shows: { text: 'Hello' } },
    phrase: { words: 'did you see the seal', stream: 'messages', document: ['anna'] },
    total: { stream: 'likes', metric: 'count_distinct', field: 'url', is: 4 },
  },
  {
    given: 'snapchat/friends',
    perMonth: { stream: 'messages', by: 'sent_at', months: { '2023-05': 3, '2023-06': 2 } },
    last: { stream: 'messages', of: { kind: 'snap' }, shows: { sender: 'bo.lind' } },
    phrase: { words: 'is the harbour frozen', stream: 'messages', document: ['bo.lind'] },
    total: { stream: 'calls', metric: 'sum', field: 'length_seconds', is: 61 },
  },
  {
    given: 'mastodon/archive',
    perMonth: { stream: 'posts', by: 'created_at', months: { '2023-01': 1, '2023-02': 1 } },
    last: {
      stream: 'boosts',
      of: { author: 'bo@social.example' },
      shows: { url: 'https://social.example/users/bo/statuses/88' },
    },
    phrase: { words: 'key is under the mat', stream: 'direct_messages', document: ['bo@social.example'] },
    total: { stream: 'posts', metric: 'sum', field: 'like_count', is: 4 },
  },
];
