import type { Questions } from './question.ts';

/** Notes, diaries and what was marked in books. */
export const noteQuestions: readonly Questions[] = [
  {
    given: 'evernote/notebooks',
    perMonth: { stream: 'notes', by: 'created_at', months: { '2024-01': 4, '2024-02': 1 } },
    last: { stream: 'notes', of: { author: 'Ana Reis' }, shows: { title: 'Bread & salt' } },
    phrase: { words: 'buy flour', stream: 'notes', document: ['[x] Buy flour', 'Flour | 500 g'] },
    total: { stream: 'attachments', metric: 'sum', field: 'bytes', is: 81 },
  },
  {
    given: 'kindle/english',
    perMonth: { stream: 'highlights', by: 'highlighted_at', months: { '2013-12': 2, '2014-01': 3 } },
    last: { stream: 'highlights', of: { title: 'A Manual', kind: 'note' }, shows: { page: 'ix' } },
    phrase: { words: 'salt comes last', stream: 'highlights', document: ['Time does the work', 'Tell Bo'] },
    total: { stream: 'highlights', metric: 'count_distinct', field: 'title', is: 2 },
  },
  {
    given: 'notion/markdown',
    perMonth: { stream: 'notes', by: 'created_at', months: { '2024-03': 2, '2024-04': 1 } },
    last: {
      stream: 'notes',
      of: { database: 'Tasks', title: 'Bake bread' },
      shows: { tags: ['kitchen', 'Sunday'] },
    },
    phrase: { words: 'time does the work', stream: 'notes', document: ['Bake bread'] },
    total: { stream: 'notes', metric: 'count_distinct', field: 'database', is: 1 },
  },
  {
    given: 'day-one/zip',
    perMonth: { stream: 'entries', by: 'created_at', months: { '2019-03': 1, '2020-02': 3 } },
    last: { stream: 'entries', of: { country: 'Japan' }, shows: { title: 'First loaf', day: '2019-03-19' } },
    phrase: { words: 'tram uphill', stream: 'entries', document: ['Tram 28 uphill'] },
    total: { stream: 'entries', metric: 'count_distinct', field: 'journal', is: 2 },
  },
];
