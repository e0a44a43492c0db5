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
];
