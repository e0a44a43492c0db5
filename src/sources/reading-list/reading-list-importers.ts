import type { ExportGuide, Importer, ImportItem, ImportOptions, InputFile } from '../../import/importer.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { readJsonElements } from '../../import/read/read-json.ts';
import { makeProblem, makeRecord, readEach } from '../files/import-items.ts';
import { readFileByFile } from '../files/recognise-files.ts';
import { isObject } from '../values/json.ts';
import { openTableWith, readRows } from '../values/table-cells.ts';
import { type JsonList, omnivoreJson, pinboardJson, pocketJson, wallabagJson } from './json-lists.ts';
import { type ListRecord, toData } from './list-record.ts';
import { declareReadingList } from './reading-list-declaration.ts';
import {
  instapaperTable,
  pocketTable,
  raindropTable,
  readerTable,
  readwiseTable,
  type TableList,
} from './table-lists.ts';

interface Service {
  readonly format: string;
  readonly title: string;
  readonly guide: ExportGuide;
  readonly tables?: readonly TableList[];
  readonly lists?: readonly JsonList[];
}

const services: readonly Service[] = [
  {
    format: 'pocket',
    title: 'Pocket',
    guide: { steps: ['Use the zip or CSV that Pocket sent before it closed.'], waiting: 'Immediately.' },
    tables: [pocketTable],
    lists: [pocketJson],
  },
  {
    format: 'raindrop',
    title: 'Raindrop.io',
    guide: { steps: ['Open app.raindrop.io, Settings, Backups, and choose CSV.'], waiting: 'Immediately.' },
    tables: [raindropTable],
  },
  {
    format: 'readwise',
    title: 'Readwise',
    guide: {
      steps: [
        'Highlights: open readwise.io/export and choose “Export to CSV”.',
        'Reader: open Account, then “Export library”.',
      ],
      waiting: 'A few minutes.',
    },
    tables: [readwiseTable, readerTable],
  },
  {
    format: 'instapaper',
    title: 'Instapaper',
    guide: {
      steps: ['Open instapaper.com/user and choose “Download .CSV file” under Export.'],
      waiting: 'Immediately.',
    },
    tables: [instapaperTable],
  },
  {
    format: 'omnivore',
    title: 'Omnivore',
    guide: { steps: ['Use the zip that Omnivore sent before it closed.'], waiting: 'Immediately.' },
    lists: [omnivoreJson],
  },
  {
    format: 'wallabag',
    title: 'wallabag',
    guide: { steps: ['Open All entries, then Export, and choose JSON.'], waiting: 'Immediately.' },
    lists: [wallabagJson],
  },
  {
    format: 'pinboard',
    title: 'Pinboard',
    guide: { steps: ['Open pinboard.in/export and choose JSON.'], waiting: 'Immediately.' },
    lists: [pinboardJson],
  },
];

export const readingListImporters: readonly Importer[] = services.map(createImporter);

type Read = (options: ImportOptions) => AsyncIterable<ImportItem>;

function createImporter(service: Service): Importer {
  return {
    format: service.format,
    title: service.title,
    guide: service.guide,
    identity: { bookmarks: ['url', 'title'], highlights: ['title', 'url', 'text', 'location'] },
    ...readFileByFile((file) => findReader(file, service)),
    declare: async () => declareReadingList(service.format, service.title),
  };
}

async function findReader(file: InputFile, { tables = [], lists = [] }: Service): Promise<Read | undefined> {
  const list = await findList(file, lists);
  if (list !== undefined) return (options) => readList(file, list, options);
  for (const shape of tables) {
    if ((await openTableWith(file, shape.columns)) !== undefined)
      return (options) => readTable(file, shape, options);
  }
  return undefined;
}

/** Checks the keys of the first object. */
async function findList(file: InputFile, lists: readonly JsonList[]): Promise<JsonList | undefined> {
  if (lists.length === 0) return undefined;
  const head = await peekText(file);
  if (!/^\s*\[\s*\{/.test(head)) return undefined;
  return lists.find(({ keys }) => keys.every((key) => head.includes(`"${key}"`)));
}

async function* readTable(
  file: InputFile,
  shape: TableList,
  options: ImportOptions,
): AsyncGenerator<ImportItem> {
  const table = await openTableWith(file, shape.columns);
  if (table !== undefined)
    yield* readRows(file, table, (get, place) => toYielded(shape.read(get, options), file, place));
}

async function* readList(
  file: InputFile,
  list: JsonList,
  options: ImportOptions,
): AsyncGenerator<ImportItem> {
  yield* readEach(file, readJsonElements(file, ['*']), function* (element) {
    const place = `item ${Number(element.path[0]) + 1}`;
    if (isObject(element.value)) yield* toYielded(list.read(element.value, options), file, place);
    else yield makeProblem(file, 'is not an object', place);
  });
}

function* toYielded(records: readonly ListRecord[], file: InputFile, place: string): Generator<ImportItem> {
  for (const record of records) {
    const data = toData(record);
    if (data === undefined) yield makeProblem(file, 'has neither an address nor a text', place);
    else yield makeRecord(file, record.stream, data, place);
  }
}
