import type { Variation } from './variation.ts';

/** What files of the known formats looked like that were found in public places. */
export const gatheredVariations: readonly Variation[] = [
  {
    name: 'names with the marks that Hebrew has inside of words, and with a nickname',
    format: 'whatsapp',
    files: {
      '_chat.txt':
        '[15.1.2024, 9:41:00] ד"ר כהן: שלום\n[15.1.2024, 9:42:00] Bo "Bobby" Lee: Yes <ההודעה נערכה>\n[15.1.2024, 9:43:00] Anna changed the subject to "Rome: in May"\n',
    },
    has: {
      messages: [
        { sender: 'ד"ר כהן', text: 'שלום', kind: 'message' },
        { sender: 'Bo "Bobby" Lee', text: 'Yes', is_edited: true },
        { kind: 'system', text: 'Anna changed the subject to "Rome: in May"' },
      ],
    },
  },
  {
    name: 'quotes in what others wrote',
    format: 'x',
    files: {
      'like.js':
        'window.YTD.like.part0 = [{"like":{"tweetId":"11","fullText":"He says &quot;it&#39;s &amp;lt; 3&quot;"}}]',
    },
    has: { likes: [{ id: '11', text: 'He says "it\'s &lt; 3"' }] },
  },
  {
    name: 'a thread that names neither people nor itself',
    format: 'facebook',
    files: {
      'family.json':
        '{"messages":[{"sender_name":"Bo","timestamp_ms":1705308060123,"content":"Hi","type":"Generic"}]}',
    },
    has: { messages: [{ chat: 'family', sender: 'Bo' }], chats: [{ name: 'family' }] },
  },
  {
    name: 'stars that a program has made shorter',
    format: 'github',
    files: {
      'stars.json':
        '[{"id":1,"name":"lamp","full_name":"bo/lamp","description":"Light","starred_at":"2024-01-15T08:41:00Z","private":false}]',
    },
    has: { stars: [{ name: 'bo/lamp', starred_at: '2024-01-15T08:41:00Z' }] },
  },
  {
    name: 'a list of few columns',
    format: 'goodreads',
    files: {
      'books.csv': 'Book Id,Title,Author,Date Added,Date Read\n1,Book One,Ann,2024/01/15,\n',
    },
    has: { books: [{ id: '1', title: 'Book One', added_on: '2024-01-15' }] },
  },
  {
    name: 'lists in lists, of which none names the columns',
    format: 'generic',
    files: {
      'steps.json': '[["2024-01-15T08:41:00+00:00","Anna"],["2024-01-16T08:41:00+00:00","Bo"]]',
    },
    has: {
      rows: [
        { column_1: '2024-01-15T08:41:00Z', column_2: 'Anna' },
        { column_1: '2024-01-16T08:41:00Z', column_2: 'Bo' },
      ],
    },
  },
  {
    name: 'a table without names of columns, whose times are written with a T',
    format: 'generic',
    files: { 'log.csv': '2024-01-15T08:41:00Z,Anna,home\n2024-01-16T08:41:00Z,Bo,away\n' },
    has: { rows: [{ column_2: 'Anna' }, { column_2: 'Bo' }] },
  },
];
