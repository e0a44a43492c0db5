import type { Importer, ImportItem, InputFile, Recognised } from '../../import/importer.ts';
import { readHtmlText } from '../../import/read/html-text.ts';
import { readDay } from '../../import/read/read-time.ts';
import { declareSource, declareStream } from '../declare.ts';
import { recogniseFiles } from '../files/recognise-files.ts';
import { makeProblem } from '../files/yielded.ts';
import {
  type Cells,
  cellInteger,
  cellNumber,
  type Get,
  openTableWith,
  readRecords,
  restOf,
} from '../values/table-cells.ts';
import { createKeyGuard } from '../values/unique-key.ts';
import { splitList, wordList } from '../values/words.ts';

const goodreadsDeclaration = declareSource('goodreads', 'Goodreads', [
  declareStream('books', 'Books', {
    description: 'Books on the shelves, with rating, review and the day they were read.',
    detail: 'Which books you have read or want to read, your ratings and reviews.',
    time: 'added_on',
    view: { label: 'Title, author and shelf', fields: ['id', 'title', 'author', 'shelf'] },
    search: ['title', 'author', 'review', 'private_notes', 'publisher', 'other_authors', 'shelves'],
    fields: {
      id: 'text',
      title: 'text',
      author: 'text',
      other_authors: 'list',
      shelf: 'text: read, currently-reading or to-read, or one of your own',
      shelves: 'list',
      added_on: 'date',
      read_on: 'date',
      rating: 'integer: Your own, 1 to 5',
      average_rating: 'number: Of all readers',
      review: 'text',
      has_spoiler: 'flag',
      private_notes: 'text, sensitive',
      isbn: 'text',
      isbn13: 'text',
      publisher: 'text',
      binding: 'text',
      pages: 'integer',
      published: 'integer: Year of this edition',
      first_published: 'integer: Year of the first edition',
      read_count: 'integer',
      owned_copies: 'integer',
      other_columns: { type: 'object', description: 'Further columns, as they are' },
    },
  }),
]);

export const goodreadsImporter: Importer = {
  format: 'goodreads',
  title: 'Goodreads',
  guide: {
    steps: [
      'Open goodreads.com/review/import (My Books, then Import and export).',
      'Choose Export Library, wait until the link appears and download the CSV.',
    ],
    waiting: 'A few minutes.',
  },
  recognise: (files) => recogniseFiles(files, async (file) => (await openBooks(file)) !== undefined),
  declare: async () => goodreadsDeclaration,
  read,
};

/** Some people remove columns before they share their list. */
const MARKS = [
  ['Book Id', 'Title', 'Author', 'My Rating'],
  ['Book Id', 'Title', 'Author', 'Date Added'],
];

/** Columns that become a field. The others go to `other_columns`. */
const KNOWN = new Set(
  wordList(`book id|title|author|author l-f|additional authors|isbn|isbn13|my rating|average rating|publisher|binding|
   number of pages|year published|original publication year|date read|date added|bookshelves|
   bookshelves with positions|exclusive shelf|my review|spoiler|private notes|read count|owned copies`),
);

const openBooks = (file: InputFile) => openTableWith(file, ...MARKS);

async function* read({ files }: Recognised): AsyncGenerator<ImportItem> {
  for (const file of files) {
    const table = await openBooks(file);
    const takeKey = createKeyGuard();
    if (table === undefined) yield makeProblem(file, 'has no Goodreads columns');
    else
      yield* readRecords(file, table, 'books', (get, cells) =>
        get('Title') === undefined
          ? 'has no title'
          : { id: takeKey(get('Book Id') ?? ''), ...readBook(get, cells) },
      );
  }
}

function readBook(get: Get, cells: Cells): Record<string, unknown> {
  const day = (name: string) => readDay(get(name) ?? '');
  const whole = (name: string) => cellInteger(get(name));
  const review = get('My Review');
  return {
    title: get('Title'),
    author: get('Author')?.replace(/\s+/g, ' '),
    other_authors: splitList(get('Additional Authors')),
    shelf: get('Exclusive Shelf'),
    shelves: splitList(get('Bookshelves')),
    added_on: day('Date Added'),
    read_on: day('Date Read'),
    // 0 means no rating.
    rating: whole('My Rating') || undefined,
    average_rating: cellNumber(get('Average Rating')) || undefined,
    review: review === undefined ? undefined : readHtmlText(review),
    has_spoiler: get('Spoiler') === undefined ? undefined : get('Spoiler') === 'true',
    private_notes: get('Private Notes'),
    isbn: unwrap(get('ISBN')),
    isbn13: unwrap(get('ISBN13')),
    publisher: get('Publisher'),
    binding: get('Binding'),
    pages: whole('Number of Pages'),
    published: whole('Year Published'),
    first_published: whole('Original Publication Year'),
    read_count: whole('Read Count'),
    owned_copies: whole('Owned Copies'),
    other_columns: restOf(cells, KNOWN),
  };
}

/** `="9781804175767"` keeps spreadsheets from treating it as a number. */
const unwrap = (text: string | undefined) => text?.replace(/^="?|"$/g, '');
