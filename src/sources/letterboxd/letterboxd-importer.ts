import type { Importer, ImportItem, InputFile, Recognised } from '../../import/importer.ts';
import { hashKey } from '../../import/make-key.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { readHtmlText } from '../../import/read/html-text.ts';
import type { Table } from '../../import/read/read-table.ts';
import { readDay } from '../../import/read/read-time.ts';
import { splitRows } from '../../import/read/sniff-table.ts';
import { declareSource, declareStream, type Fields } from '../declare.ts';
import { makeNote, makeProblem, makeRecord } from '../files/import-items.ts';
import { recogniseFiles } from '../files/recognise-files.ts';
import { dropEmpty } from '../values/json.ts';
import { cellInteger, cellNumber, type Get, openTableWith, readRows } from '../values/table-cells.ts';
import { createKeyGuard } from '../values/unique-key.ts';

const film: Fields = {
  id: 'text',
  title: 'text, search: Name of the film',
  year: 'integer: Year the film came out',
  url: 'text',
};
const rating = 'number: Stars from 0.5 to 5, in steps of a half';

const declareFilms = (name: string, label: string, description: string, more: Fields = {}) =>
  declareStream(name, label, {
    description,
    time: 'added_on',
    fields: { ...film, added_on: 'date: Day it was added', ...more },
  });

const letterboxdDeclaration = declareSource('letterboxd', 'Letterboxd', [
  declareStream('diary', 'Diary', {
    description: 'Films watched, each time with its day, rating, tags and review.',
    detail: 'Which films you watched, when, your ratings and reviews.',
    time: 'watched_on',
    view: { label: 'Film and day', fields: ['id', 'title', 'watched_on'] },
    fields: {
      ...film,
      watched_on: 'date',
      added_on: 'date: The day it was added',
      rating,
      is_rewatch: 'flag',
      tags: 'list, search',
    },
  }),
  declareStream('reviews', 'Reviews', {
    description: 'Reviews of films in the words of the owner.',
    detail: 'What you wrote about films.',
    time: 'added_on',
    fields: {
      ...film,
      review: 'text, search: What was written',
      rating,
      is_rewatch: 'flag',
      tags: 'list, search',
      watched_on: 'date',
      added_on: 'date: The day it was added',
    },
  }),
  declareFilms('ratings', 'Ratings', 'How you rated films.', { rating }),
  declareFilms('watched', 'Watched films', 'Films you have seen.'),
  declareFilms('watchlist', 'Watchlist', 'Films you want to see.'),
  declareFilms('likes', 'Liked films', 'Films you like.'),
  declareFilms('list_films', 'Lists', 'Films on lists you made.', {
    list: 'text: Name of the list',
    position: 'integer',
    note: 'text: Note on the film in the list',
  }),
]);

export const letterboxdImporter: Importer = {
  format: 'letterboxd',
  title: 'Letterboxd',
  fillsArchive: true,
  guide: {
    steps: ['Open letterboxd.com/settings/data.', 'Choose Export your data and download the zip.'],
    waiting: 'Immediately.',
  },
  identity: {
    diary: ['title', 'url', 'watched_on', 'added_on'],
    reviews: ['title', 'url', 'watched_on', 'added_on'],
    ratings: ['title', 'url'],
    watched: ['title', 'url'],
    watchlist: ['title', 'url'],
    likes: ['title', 'url'],
    list_films: ['list', 'title', 'url'],
  },
  recognise: (files) =>
    recogniseFiles(
      files,
      async (file) => ((await findFilmTable(file)) ?? (await openProfile(file))) !== undefined,
    ),
  declare: async () => letterboxdDeclaration,
  read,
};

/** Folders with deleted and orphaned items. */
const DELETED_FOLDER = /(?:^|\/)(?:deleted|orphaned)\//i;
const PROFILE_COLUMNS = ['Date Joined', 'Username', 'Favorite Films'];
const openProfile = (file: InputFile) => openTableWith(file, PROFILE_COLUMNS);

async function* read({ files }: Recognised): AsyncGenerator<ImportItem> {
  for (const file of files) {
    if (DELETED_FOLDER.test(file.path)) {
      yield makeNote(file, `${file.path} was skipped: it contains deleted items`);
      continue;
    }
    const found = await findFilmTable(file);
    const profile = found === undefined ? await openProfile(file) : undefined;
    if (found !== undefined) yield* readFilms(file, found);
    else if (profile === undefined) yield makeProblem(file, 'has no Letterboxd columns');
    else {
      for await (const row of profile.rows())
        if (row.kind === 'row' && row.values.Username) yield { kind: 'self', value: row.values.Username };
    }
  }
}

async function* readFilms(file: InputFile, found: FilmTable): AsyncGenerator<ImportItem> {
  const { stream, table, list, note } = found;
  if (note !== undefined) yield makeNote(file, note);
  const takeKey = createKeyGuard();
  yield* readRows(file, table, function* (get, place) {
    const rating = get('Rating');
    if (rating !== undefined && cellNumber(rating) === undefined)
      yield makeProblem(file, 'has an invalid rating; the film was imported without it', place);
    const data = readFilm(get);
    const id =
      data.url === undefined
        ? undefined
        : takeKey(list === undefined ? `${data.url}` : hashKey(list, `${data.url}`));
    if (data.title === undefined) yield makeProblem(file, 'has no film name', place);
    else yield makeRecord(file, stream, dropEmpty({ id, ...data, list }), place);
  });
}

function readFilm(get: Get): Record<string, unknown> {
  const rewatch = get('Rewatch');
  const [review, note] = [get('Review'), get('Description')];
  return dropEmpty({
    title: get('Name'),
    year: cellInteger(get('Year')),
    url: get('Letterboxd URI', 'URL'),
    added_on: readDay(get('Date') ?? ''),
    watched_on: readDay(get('Watched Date') ?? ''),
    rating: cellNumber(get('Rating')),
    is_rewatch: rewatch === undefined ? undefined : /^yes$/i.test(rewatch),
    tags: get('Tags')?.split(/\s*,\s*/),
    review: review === undefined ? undefined : readReviewText(review),
    position: cellInteger(get('Position')),
    note: note === undefined ? undefined : readReviewText(note),
  });
}

/** Reviews contain a few HTML tags. */
const readReviewText = (text: string) =>
  /<\w/.test(text) ? readHtmlText(text.replaceAll('\n', '<br>')) : text;

interface FilmTable {
  readonly stream: string;
  readonly table: Table;
  readonly list?: string;
  /** A note for the owner if neither the columns nor the file name show which table it is. */
  readonly note?: string;
}

const FILM_COLUMNS = ['Name', 'Year', 'Letterboxd URI'];

/** Detects the table by its columns. Three tables have the same columns; the file name distinguishes them. */
async function findFilmTable(file: InputFile): Promise<FilmTable | undefined> {
  const list = await findList(file);
  if (list !== undefined) return list;
  const table = await openTableWith(file, FILM_COLUMNS);
  if (table === undefined) return undefined;
  const has = (name: string) => table.columns.some((column) => column.toLowerCase() === name);
  if (has('review')) return { stream: 'reviews', table };
  if (has('watched date')) return { stream: 'diary', table };
  if (has('rating')) return { stream: 'ratings', table };
  const name = file.path.toLowerCase();
  if (/watchlist/.test(name)) return { stream: 'watchlist', table };
  if (/(^|\/)likes\/|liked|(^|\/)films\.csv$/.test(name)) return { stream: 'likes', table };
  if (/watched/.test(name)) return { stream: 'watched', table };
  return { stream: 'watched', table, note: 'films without a date or rating were imported as watched' };
}

/** A list file begins with a table of the list's name and description, followed by the table of films. */
async function findList(file: InputFile): Promise<FilmTable | undefined> {
  const head = await peekText(file);
  if (!head.startsWith('Letterboxd list export')) return undefined;
  const table = await openTableWith(file, ['Position', 'Name', 'Year']);
  if (table === undefined) return undefined;
  const rows = splitRows(head.slice(0, 4_000), ',');
  const header = rows.findIndex(
    (row) => row.includes('Name') && row.includes('URL') && !row.includes('Position'),
  );
  const column = rows[header]?.indexOf('Name') ?? -1;
  return { stream: 'list_films', table, list: rows[header + 1]?.[column] ?? 'List' };
}
