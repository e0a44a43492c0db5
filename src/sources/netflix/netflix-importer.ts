import type { Importer, ImportItem, ImportOptions, InputFile, Recognised } from '../../import/importer.ts';
import { DayOrder } from '../../import/read/day-order.ts';
import { openTable, type Table } from '../../import/read/read-table.ts';
import { readDay } from '../../import/read/read-time.ts';
import { declareSource, declareStream } from '../declare.ts';
import { makeNote, makeProblem, makeRecord, readEach } from '../files/import-items.ts';
import { textOf } from '../values/json.ts';
import { createFieldReader } from '../values/read-fields.ts';
import { openTableWith, readRecords } from '../values/table-cells.ts';
import { NETFLIX_TABLES, type NetflixStream, readViewing, splitTitle } from './netflix-tables.ts';

const profile = 'text < profile name: Whose profile of the account';

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
      started_at: 'time < start time (utc)|start time',
      duration_s: 'integer: Seconds watched',
      profile,
      device: 'text < device type',
      country: 'text < country',
      kind: 'text < supplemental video type: Trailers and previews say so here; films and episodes have none',
      attributes: 'text < attributes: Such as Autoplayed',
      bookmark_s: 'integer: Position at which playing stopped, in seconds',
      is_latest: 'flag: Whether it is the latest viewing of the title',
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
      title: 'text < title name',
      rating: 'integer < thumbs value|star value: Thumbs (1 down, 2 up, 3 two up) or stars',
      rated_at: 'time < event utc ts',
      kind: 'text < rating type: thumb or star',
      profile,
      device: 'text < device model',
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
      title: 'text < title name',
      added_at: 'time < utc title add date',
      profile,
      country: 'text < country',
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
      query: 'text < query typed',
      chosen: 'text < displayed name: Title that was shown or chosen',
      action: 'text < action',
      searched_at: 'time < utc timestamp',
      profile,
      device: 'text < device',
      country: 'text < country iso code',
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
      'For the viewing activity alone, open your profile under Account, Viewing activity, and choose Download all.',
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

type Found = { table: Table; stream: NetflixStream | 'list' };

/** Column names for title and date, in the languages of the website. */
const TITLE_COLUMN =
  /^(title|titel|titre|t[íi]tulo|titolo|tytu[łl]|titlu|tittel|nimike|otsikko|n[áa]zev|n[áa]zov|naslov|c[íi]m|ba[şs]l[ıi]k|judul|tiêu đề|название|назва|заглавие|τίτλος|כותרת|العنوان|タイトル|제목|标题|標題|片名|ชื่อเรื่อง)$/i;
const DATE_COLUMN =
  /^(date|datum|fecha|data|dato|p[äa]iv[äa]m[äa][äa]r[äa]|d[áa]tum|tarih|tanggal|ngày|дата|ημερομηνία|תאריך|التاريخ|日付|날짜|日期|วันที่)$/i;

async function findTable(file: InputFile): Promise<Found | undefined> {
  for (const [stream, columns] of Object.entries(NETFLIX_TABLES)) {
    const table = await openTableWith(file, columns);
    if (table !== undefined) return { table, stream: stream as NetflixStream };
  }
  const isHeader = (cells: readonly string[]) =>
    cells.length === 2 && TITLE_COLUMN.test(cells[0] ?? '') && DATE_COLUMN.test(cells[1] ?? '');
  const table = await openTable(file, { isHeader });
  return table === undefined ? undefined : { table, stream: 'list' };
}

async function recognise(files: readonly InputFile[]): Promise<readonly Recognised[]> {
  const whole: InputFile[] = [];
  const lists: InputFile[] = [];
  for (const file of files) {
    const found = await findTable(file);
    if (found !== undefined) (found.stream === 'list' ? lists : whole).push(file);
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
    else if (found.stream === 'list') yield* readList(file, found.table, options);
    else yield* readTable(file, found.table, found.stream, options);
  }
}

function readTable(file: InputFile, table: Table, stream: NetflixStream, options: ImportOptions) {
  const read = createFieldReader(netflixDeclaration, stream);
  return readRecords(file, table, stream, (get) => {
    const data = read(get);
    if (stream !== 'viewing') return data;
    const started = textOf(data.started_at);
    return started === undefined ? 'has no valid time' : { ...data, ...readViewing(get, started, options) };
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
