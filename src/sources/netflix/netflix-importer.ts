import type { Importer, ImportItem, ImportOptions, InputFile, Recognised } from '../../import/importer.ts';
import { DayOrder } from '../../import/read/day-order.ts';
import { openTable, type Table } from '../../import/read/read-table.ts';
import { readDay } from '../../import/read/read-time.ts';
import { declareSource, declareStream } from '../declare.ts';
import { makeNote, makeProblem, makeRecord, readEach } from '../files/yielded.ts';
import { createCellFinder, openTableWith } from '../values/table-cells.ts';
import { NETFLIX_TABLES, type NetflixTable, splitTitle } from './netflix-tables.ts';

const profile = 'text: Whose profile of the account';

const netflixDeclaration = declareSource('netflix', 'Netflix', [
  declareStream('viewing', 'Viewing history', {
    description: 'What was watched on Netflix, when and for how long.',
    detail: 'Which films and episodes you watched, and when.',
    semantics: 'append_only',
    time: 'watched_on',
    view: { label: 'Title and day', fields: ['id', 'title', 'watched_on'] },
    search: ['title', 'series', 'episode', 'profile', 'device'],
    fields: {
      id: 'text',
      title: 'text: As Netflix shows it',
      series: 'text',
      season: 'text',
      episode: 'text',
      watched_on: 'date, required',
      started_at: 'time',
      duration_s: 'integer: Seconds watched',
      profile,
      device: 'text',
      country: 'text',
      kind: 'text: Trailers and previews say so here; films and episodes have none',
      attributes: 'text: Such as Autoplayed',
      bookmark_s: 'integer: Where it was left, in seconds',
      is_latest: 'flag: Whether it was not watched again later',
    },
  }),
  declareStream('ratings', 'Ratings', {
    description: 'Thumbs and stars that were given.',
    detail: 'How you rated films and series.',
    semantics: 'append_only',
    time: 'rated_at',
    search: ['title', 'profile'],
    fields: {
      id: 'text',
      title: 'text',
      rating: 'integer: Thumbs (1 down, 2 up, 3 two up) or stars',
      rated_at: 'time',
      kind: 'text: thumb or star',
      profile,
      device: 'text',
    },
  }),
  declareStream('my_list', 'My List', {
    description: 'What was put on My List to watch later.',
    detail: 'What you saved to watch later.',
    semantics: 'append_only',
    time: 'added_at',
    search: ['title', 'profile'],
    fields: {
      id: 'text',
      title: 'text',
      added_at: 'time',
      profile,
      country: 'text',
    },
  }),
  declareStream('searches', 'Searches', {
    description: 'What was typed into the search of Netflix and what was chosen.',
    detail: 'What you searched for on Netflix.',
    semantics: 'append_only',
    time: 'searched_at',
    search: ['query', 'chosen', 'profile'],
    fields: {
      id: 'text',
      query: 'text',
      chosen: 'text: Title that was shown or chosen',
      action: 'text',
      searched_at: 'time',
      profile,
      device: 'text',
      country: 'text',
    },
  }),
]);

export const netflixImporter: Importer = {
  format: 'netflix',
  title: 'Netflix',
  fillsArchive: true,
  guide: {
    steps: [
      'Open netflix.com/account/getmyinfo and choose Submit request.',
      'Confirm in the email you receive, wait for the second email and download the zip.',
      'Quicker, with less in it: open your profile under Account, Viewing activity, and choose Download all.',
    ],
    waiting: 'A few days for the whole export; the viewing activity alone is immediate.',
  },
  identity: {
    viewing: ['profile', 'title', 'watched_on', 'started_at', 'device'],
    my_list: ['profile', 'title', 'added_at'],
    ratings: ['profile', 'title', 'kind', 'rated_at'],
    searches: ['profile', 'query', 'searched_at', 'chosen'],
  },
  recognise,
  declare: async () => netflixDeclaration,
  read,
};

type Found = { table: Table; shape: NetflixTable } | { table: Table; shape: 'list' };

/** Title and date, in the language of the website. */
const TITLE =
  /^(title|titel|titre|t[íi]tulo|titolo|tytu[łl]|titlu|tittel|nimike|otsikko|n[áa]zev|n[áa]zov|naslov|c[íi]m|ba[şs]l[ıi]k|judul|tiêu đề|название|назва|заглавие|τίτλος|כותרת|العنوان|タイトル|제목|标题|標題|片名|ชื่อเรื่อง)$/i;
const DAY =
  /^(date|datum|fecha|data|dato|p[äa]iv[äa]m[äa][äa]r[äa]|d[áa]tum|tarih|tanggal|ngày|дата|ημερομηνία|תאריך|التاريخ|日付|날짜|日期|วันที่)$/i;

async function findTable(file: InputFile): Promise<Found | undefined> {
  for (const shape of NETFLIX_TABLES) {
    const table = await openTableWith(file, shape.columns);
    if (table !== undefined) return { table, shape };
  }
  const isHeader = (cells: readonly string[]) =>
    cells.length === 2 && TITLE.test(cells[0] ?? '') && DAY.test(cells[1] ?? '');
  const table = await openTable(file, { isHeader });
  return table === undefined ? undefined : { table, shape: 'list' };
}

async function recognise(files: readonly InputFile[]): Promise<readonly Recognised[]> {
  const whole: InputFile[] = [];
  const lists: InputFile[] = [];
  for (const file of files) {
    const found = await findTable(file);
    if (found !== undefined) (found.shape === 'list' ? lists : whole).push(file);
  }
  return [
    ...(whole.length === 0 ? [] : [{ files: whole, certainty: 'certain' as const }]),
    ...(lists.length === 0 ? [] : [{ files: lists, certainty: 'likely' as const }]),
  ];
}

async function* read({ files }: Recognised, options: ImportOptions): AsyncGenerator<ImportItem> {
  for (const file of files) {
    const found = await findTable(file);
    if (found === undefined) yield makeProblem(file, 'has no Netflix columns');
    else if (found.shape === 'list') yield* readList(file, found.table, options);
    else yield* readRows(file, found.table, found.shape, options);
  }
}

async function* readRows(
  file: InputFile,
  table: Table,
  shape: NetflixTable,
  options: ImportOptions,
): AsyncGenerator<ImportItem> {
  const find = createCellFinder(table.columns);
  yield* readEach(file, table.rows(), function* (row) {
    const place = `line ${row.line}`;
    const data = shape.read((...names) => find(row.values, ...names), options);
    if (data === undefined) yield makeProblem(file, 'has no valid time', place);
    else yield makeRecord(file, shape.stream, data, place);
  });
}

async function* readList(file: InputFile, table: Table, options: ImportOptions): AsyncGenerator<ImportItem> {
  const [title, day] = table.columns as [string, string];
  const order = new DayOrder();
  for await (const row of table.rows()) if (row.kind === 'row') order.add(row.values[day] ?? '');
  const { dayFirst, note } = order.decide(options);
  if (note !== undefined) yield makeNote(file, note);
  yield* readEach(file, table.rows(), function* (row) {
    const place = `line ${row.line}`;
    const watched_on = readDay(row.values[day] ?? '', { dayFirst });
    if (watched_on === undefined) yield makeProblem(file, 'has no valid date', place);
    else {
      const data = { ...splitTitle(row.values[title]?.trim() ?? ''), watched_on };
      yield makeRecord(file, 'viewing', data, place);
    }
  });
}
