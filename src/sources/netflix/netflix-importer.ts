import type { Importer, ImportItem, ImportOptions, InputFile, Recognised } from '../../import/importer.ts';
import { DayOrder } from '../../import/read/day-order.ts';
import { openTable, type Table } from '../../import/read/read-table.ts';
import { readDay } from '../../import/read/read-time.ts';
import { makeNote, makeProblem, makeRecord, readEach } from '../files/yielded.ts';
import { createCellFinder, openTableWith } from '../values/table-cells.ts';
import { netflixDeclaration } from './netflix-declaration.ts';
import { NETFLIX_TABLES, type NetflixTable, splitTitle } from './netflix-tables.ts';

export const netflixImporter: Importer = {
  format: 'netflix',
  title: 'Netflix',
  fillsArchive: true,
  guide: {
    steps: [
      'Open netflix.com/account/getmyinfo and choose Submit request.',
      'Confirm in the mail that comes, wait for the second mail and download the zip.',
      'Quicker, with less in it: open your profile under Account, Viewing activity, and choose Download all.',
    ],
    waiting: 'The whole export some days, the viewing activity alone at once.',
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

/** Title and day, in the language of the page it was downloaded from. */
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
    if (found === undefined) yield makeProblem(file, 'has no columns of Netflix');
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
    if (data === undefined) yield makeProblem(file, 'has no time that can be read', place);
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
    if (watched_on === undefined) yield makeProblem(file, 'has no day that can be read', place);
    else {
      const data = { ...splitTitle(row.values[title]?.trim() ?? ''), watched_on };
      yield makeRecord(file, 'viewing', data, place);
    }
  });
}
