import type { Questions } from './question.ts';

/** Plays, films, orders and budgets. */
export const playQuestions: readonly Questions[] = [
  {
    given: 'lastfm/pages',
    perMonth: { stream: 'plays', by: 'played_at', months: { '2025-05': 1, '2025-06': 1 } },
    last: { stream: 'plays', of: { artist: 'Cleo' }, shows: { title: 'Loneliest Time' } },
    phrase: { words: 'because i sing', stream: 'plays', document: ['Tides'] },
    total: { stream: 'plays', metric: 'count_distinct', field: 'artist', is: 2 },
  },
  {
    given: 'listenbrainz/zip',
    perMonth: { stream: 'plays', by: 'played_at', months: { '2023-11': 1, '2023-12': 1 } },
    last: { stream: 'plays', of: { artist: 'Dai' }, shows: { title: 'Red' } },
    phrase: { words: 'blue hours', stream: 'plays', document: ['Cleo'] },
    total: { stream: 'plays', metric: 'sum', field: 'duration_ms', is: 180_000 },
  },
  {
    given: 'trakt/export',
    perMonth: { stream: 'viewing', by: 'watched_at', months: { '2024-05': 1, '2024-06': 1 } },
    last: { stream: 'viewing', of: { series: 'Dark' }, shows: { title: 'Lies' } },
    phrase: { words: 'with bo', stream: 'listed', document: ['watchlist'] },
    total: { stream: 'ratings', metric: 'sum', field: 'rating', is: 9 },
  },
  {
    given: 'amazon/today',
    perMonth: { stream: 'order_items', by: 'ordered_at', months: { '2024-02': 1, '2024-03': 1 } },
    last: { stream: 'order_items', of: { status: 'Cancelled' }, shows: { title: 'Wool socks' } },
    phrase: { words: 'teapot', stream: 'order_items', document: ['B00TEA'] },
    total: { stream: 'order_items', metric: 'sum', field: 'total', is: 49.48 },
  },
  {
    given: 'ynab/json',
    perMonth: { stream: 'transactions', by: 'date', months: { '2023-08': 3 } },
    last: { stream: 'transactions', of: { category: 'Gifts' }, shows: { memo: 'gift' } },
    phrase: { words: 'rolls', stream: 'transactions', document: ['Bakery'] },
    total: { stream: 'transactions', metric: 'sum', field: 'amount', is: -112.34 },
  },
];
