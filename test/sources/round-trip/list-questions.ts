import type { Questions } from './question.ts';

/** Lists of saved pages. */
export const listQuestions: readonly Questions[] = [
  {
    given: 'pocket/csv',
    perMonth: { stream: 'bookmarks', by: 'added_at', months: { '2020-09': 3 } },
    last: { stream: 'bookmarks', of: { state: 'archive' }, shows: { title: 'Été à la mer' } },
    phrase: { words: 'bread slowly', stream: 'bookmarks', document: ['https://bread.example/slow?x=1'] },
    total: { stream: 'bookmarks', metric: 'count_distinct', field: 'state', is: 2 },
  },
  {
    given: 'raindrop/backup',
    perMonth: { stream: 'bookmarks', by: 'added_at', months: { '2024-03': 2 } },
    last: { stream: 'bookmarks', of: { folder: 'Desk / Work' }, shows: { title: 'Quiet keyboards' } },
    phrase: { words: 'foam helps', stream: 'highlights', document: ['Foam helps.'] },
    total: { stream: 'bookmarks', metric: 'count_distinct', field: 'host', is: 2 },
  },
  {
    given: 'readwise/highlights',
    perMonth: { stream: 'highlights', by: 'highlighted_at', months: { '2023-05': 1 } },
    last: { stream: 'highlights', of: { author: 'Ana Reis' }, shows: { title: 'On Reading' } },
    phrase: { words: 'therefore we forget', stream: 'highlights', document: ['We read'] },
    total: { stream: 'highlights', metric: 'count_distinct', field: 'title', is: 1 },
  },
  {
    given: 'instapaper/export',
    perMonth: { stream: 'bookmarks', by: 'added_at', months: { '2023-11': 2 } },
    last: { stream: 'bookmarks', of: { folder: 'Unread' }, shows: { title: 'Rain in March' } },
    phrase: { words: 'and then it rained', stream: 'bookmarks', document: ['It rained'] },
    total: { stream: 'bookmarks', metric: 'count_distinct', field: 'folder', is: 2 },
  },
  {
    given: 'omnivore/export',
    perMonth: { stream: 'bookmarks', by: 'added_at', months: { '2024-10': 2 } },
    last: { stream: 'bookmarks', of: { author: 'Juliette' }, shows: { title: 'La crise des montres' } },
    phrase: { words: 'crise montres', stream: 'bookmarks', document: ['Une marque veut s’étendre.'] },
    total: { stream: 'bookmarks', metric: 'sum', field: 'progress', is: 0.333 },
  },
  {
    given: 'wallabag/export',
    perMonth: { stream: 'bookmarks', by: 'added_at', months: { '2016-09': 1 } },
    last: { stream: 'bookmarks', of: { author: 'Kim' }, shows: { title: 'A parser' } },
    phrase: { words: 'check this', stream: 'highlights', document: ['A parser reads'] },
    total: { stream: 'bookmarks', metric: 'count_distinct', field: 'host', is: 1 },
  },
  {
    given: 'pinboard/export',
    perMonth: { stream: 'bookmarks', by: 'added_at', months: { '2015-11': 2 } },
    last: { stream: 'bookmarks', of: { state: 'unread' }, shows: { title: 'How to brew' } },
    phrase: { words: 'how to brew', stream: 'bookmarks', document: ['for Ana'] },
    total: { stream: 'bookmarks', metric: 'count_distinct', field: 'host', is: 2 },
  },
];
