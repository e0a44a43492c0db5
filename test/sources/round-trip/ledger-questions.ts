import type { Questions } from './question.ts';

export const ledgerQuestions: readonly Questions[] = [
  {
    given: 'ofx/sgml',
    perMonth: { stream: 'transactions', by: 'date', months: { '2024-04': 3 } },
    last: {
      stream: 'transactions',
      of: { merchant: 'Corner Bakery' },
      shows: { amount: -12.5, currency: 'USD' },
    },
    phrase: {
      words: 'bread rolls',
      stream: 'transactions',
      document: ['Corner Bakery', 'Harbour Bank …6789'],
    },
    total: { stream: 'transactions', metric: 'sum', field: 'amount', is: -912.5 },
  },
  {
    given: 'camt/statement',
    perMonth: { stream: 'transactions', by: 'date', months: { '2024-04': 4 } },
    last: { stream: 'transactions', of: { merchant: 'Ben' }, shows: { amount: -20, currency: 'EUR' } },
    phrase: { words: 'abschlag april', stream: 'transactions', document: ['Stadtwerke Köln', 'Kunde 42'] },
    total: {
      stream: 'transactions',
      metric: 'sum',
      field: 'amount',
      filter: { status: 'booked' },
      is: -49.5,
    },
  },
  {
    given: 'mt940/statement',
    perMonth: { stream: 'transactions', by: 'date', months: { '2024-04': 3, '2024-05': 1 } },
    last: {
      stream: 'transactions',
      of: { merchant: 'Lamp Company BV' },
      shows: { amount: 1200, currency: 'EUR' },
    },
    phrase: {
      words: 'nebenkosten april',
      stream: 'transactions',
      document: ['Anna Meier Hausverwaltung', 'Haus-04'],
    },
    total: { stream: 'transactions', metric: 'sum', field: 'amount', is: 1134.5 },
  },
  {
    given: 'qif/accounts',
    perMonth: {
      stream: 'transactions',
      by: 'date',
      months: { '2024-01': 1, '2024-02': 1, '2024-03': 1, '2024-04': 1 },
    },
    last: {
      stream: 'transactions',
      of: { merchant: 'Landlord' },
      shows: { amount: -1250, check_number: '1002' },
    },
    phrase: { words: 'rent january', stream: 'transactions', document: ['Housing:Rent', 'Household'] },
    total: {
      stream: 'transactions',
      metric: 'sum',
      field: 'amount',
      filter: { amount: { lt: 0 } },
      is: -1319.99,
    },
  },
  {
    given: 'bank-csv/dkb',
    perMonth: { stream: 'transactions', by: 'date', months: { '2024-04': 2 } },
    last: {
      stream: 'transactions',
      of: { merchant: 'Bäckerei Süß' },
      shows: { amount: -4.5, currency: 'EUR' },
    },
    phrase: { words: 'gehalt april', stream: 'transactions', document: ['Firma AG', '2500'] },
    total: { stream: 'transactions', metric: 'sum', field: 'amount', is: 2495.5 },
  },
  {
    given: 'spotify/extended',
    perMonth: { stream: 'plays', by: 'played_at', months: { '2024-03': 4 } },
    last: {
      stream: 'plays',
      of: { artist: 'Die Probe' },
      shows: { title: 'Über den Dächern', album: 'Nachts' },
    },
    phrase: { words: 'am abend', stream: 'plays', document: ['Folge 12'] },
    total: { stream: 'plays', metric: 'sum', field: 'played_ms', is: 243002 },
  },
  {
    given: 'goodreads/library',
    perMonth: { stream: 'books', by: 'added_on', months: { '2023-12': 1, '2024-01': 1 } },
    last: { stream: 'books', of: { author: 'Jane Austen' }, shows: { title: 'Emma, a Novel', rating: 5 } },
    phrase: { words: 'warm and sharp', stream: 'books', document: ['Read it twice.', '9780141439587'] },
    total: { stream: 'books', metric: 'count_distinct', field: 'author', is: 2 },
  },
  {
    given: 'letterboxd/export',
    perMonth: { stream: 'diary', by: 'watched_on', months: { '2024-02': 1, '2024-03': 2 } },
    last: {
      stream: 'diary',
      of: { title: 'Whiplash' },
      shows: { watched_on: '2024-03-04', is_rewatch: true },
    },
    phrase: { words: 'not my tempo', stream: 'reviews', document: ['Whiplash', 'But loud.'] },
    total: { stream: 'list_films', metric: 'count_distinct', field: 'title', is: 2 },
  },
  {
    given: 'netflix/whole',
    perMonth: { stream: 'viewing', by: 'watched_on', months: { '2024-01': 2 } },
    last: {
      stream: 'viewing',
      of: { series: 'The Crown' },
      shows: { episode: 'Misadventure', profile: 'Anna' },
    },
    phrase: { words: 'misadventure', stream: 'viewing', document: ['Season 2', 'Sony PS4'] },
    total: { stream: 'viewing', metric: 'sum', field: 'duration_s', is: 2552 },
  },
  {
    given: 'generic/database',
    perMonth: { stream: 'bottles', by: 'bought_at', months: { '2023-05': 1, '2024-01': 1 } },
    last: { stream: 'bottles', of: { name: 'Malbec' }, shows: { id: '9007199254740993', price: 8 } },
    phrase: { words: 'riesling', stream: 'bottles', document: ['12.5'] },
    total: { stream: 'bottles', metric: 'sum', field: 'price', is: 20.5 },
  },
  {
    given: 'generic/list-in-object',
    perMonth: { stream: 'rows', by: 'when', months: { '2024-04': 2 } },
    last: { stream: 'rows', of: { tags: 'easy' }, shows: { id: '1234567890123456789', km: 5.2 } },
    phrase: { words: '漢字', stream: 'rows', document: ['漢字 😀 עברית'] },
    total: { stream: 'rows', metric: 'sum', field: 'km', is: 15.2 },
  },
  {
    given: 'generic/lines',
    perMonth: { stream: 'rows', by: 'at', months: { '2024-04': 3 } },
    last: { stream: 'rows', of: { what: 'login' }, shows: { n: 1 } },
    phrase: { words: 'logout', stream: 'rows', document: ['logout'] },
    total: { stream: 'rows', metric: 'sum', field: 'n', is: 2 },
  },
];
