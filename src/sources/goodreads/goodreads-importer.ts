import type { Importer, ImportItem, InputFile, Recognised } from '../../import/importer.ts';
import { readHtmlText } from '../../import/read/html-text.ts';
import { declareSource, declareStream } from '../declare.ts';
import { makeProblem } from '../files/import-items.ts';
import { recogniseFiles } from '../files/recognise-files.ts';
import { createFieldReader } from '../values/read-fields.ts';
import { type Cells, type Get, openTableWith, readRecords, restOf } from '../values/table-cells.ts';
import { createKeyGuard } from '../values/unique-key.ts';
import { wordList } from '../values/words.ts';

const goodreadsDeclaration = declareSource('goodreads', 'Goodreads', [
  declareStream('books', 'Books', {
    description: 'Books on the shelves, with rating, review and the day they were read.',
    detail: 'Which books you have read or want to read, your ratings and reviews.',
    time: 'added_on',
    view: { label: 'Title, author and shelf', fields: ['id', 'title', 'author', 'shelf'] },
    search: ['title', 'author', 'review', 'private_notes', 'publisher', 'other_authors', 'shelves'],
    fields: {
      id: 'text',
      title: 'text < Title',
      author: 'text',
      other_authors: 'list < Additional Authors',
      shelf: 'text < Exclusive Shelf: read, currently-reading or to-read, or one of your own',
      shelves: 'list < Bookshelves',
      added_on: 'date < Date Added',
      read_on: 'date < Date Read',
      rating: 'integer < My Rating: Your own, 1 to 5',
      average_rating: 'number < Average Rating: Of all readers',
      review: 'text',
      has_spoiler: 'flag',
      private_notes: 'text, sensitive < Private Notes',
      isbn: 'text',
      isbn13: 'text',
      publisher: 'text < Publisher',
      binding: 'text < Binding',
      pages: 'integer < Number of Pages',
      published: 'integer < Year Published: Year of this edition',
      first_published: 'integer < Original Publication Year: Year of the first edition',
      read_count: 'integer < Read Count',
      owned_copies: 'integer < Owned Copies',
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
const REQUIRED_COLUMNS = [
  ['Book Id', 'Title', 'Author', 'My Rating'],
  ['Book Id', 'Title', 'Author', 'Date Added'],
];

/** Columns that become a field. The others go to `other_columns`. */
const KNOWN = new Set(
  wordList(`book id|title|author|author l-f|additional authors|isbn|isbn13|my rating|average rating|publisher|binding|
   number of pages|year published|original publication year|date read|date added|bookshelves|
   bookshelves with positions|exclusive shelf|my review|spoiler|private notes|read count|owned copies`),
);

const openBooks = (file: InputFile) => openTableWith(file, ...REQUIRED_COLUMNS);

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

const readFields = createFieldReader(goodreadsDeclaration, 'books');

function readBook(get: Get, cells: Cells): Record<string, unknown> {
  const data = readFields(get);
  const [review, spoiler] = [get('My Review'), get('Spoiler')];
  return {
    ...data,
    author: get('Author')?.replace(/\s+/g, ' '),
    // 0 means no rating.
    rating: data.rating || undefined,
    average_rating: data.average_rating || undefined,
    review: review === undefined ? undefined : readHtmlText(review),
    has_spoiler: spoiler === undefined ? undefined : spoiler === 'true',
    isbn: unwrap(get('ISBN')),
    isbn13: unwrap(get('ISBN13')),
    other_columns: restOf(cells, KNOWN),
  };
}

/** `="9781804175767"` keeps spreadsheets from treating it as a number. */
const unwrap = (text: string | undefined) => text?.replace(/^="?|"$/g, '');
