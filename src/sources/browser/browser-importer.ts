import type { Importer, ImportItem, ImportOptions, InputFile } from '../../import/importer.ts';
import { hashKey } from '../../import/make-key.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { readHtmlEvents } from '../../import/read/html-text.ts';
import { readJson, readJsonElements } from '../../import/read/read-json.ts';
import { formatTime, readEpoch } from '../../import/read/read-time.ts';
import { declareSource, declareStream } from '../declare.ts';
import { makeNote, makeProblem, makeRecord, readEach } from '../files/import-items.ts';
import { isDatabase, openDatabase } from '../files/open-database.ts';
import { recogniseFiles } from '../files/recognise-files.ts';
import { isObject, numberOf, objectsOf, trimmedText } from '../values/json.ts';
import { splitList } from '../values/words.ts';
import { type Bookmark, BookmarkRecords, findHost } from './bookmark.ts';
import { CHROME_EPOCH_MS, historyKinds } from './history-kinds.ts';
import { findHistoryKind, readHistoryDatabase } from './read-history-database.ts';

const browserDeclaration = declareSource('browser', 'Web browser', [
  declareStream('visits', 'Browser history', {
    description: 'Web pages visited, one record for each time.',
    detail: 'The pages you visited and when.',
    semantics: 'append_only',
    time: 'visited_at',
    isSensitive: true,
    view: { label: 'What and when', fields: ['id', 'title', 'url', 'visited_at'] },
    fields: {
      id: 'text',
      title: 'text, search',
      url: 'text, search',
      host: 'text: The site, such as example.org',
      browser: 'text: Chrome, Firefox, Safari, …',
      how: 'text: How the page was opened: link, typed, reload, bookmark, …',
      seconds: 'integer: How long the page was open, if the browser recorded it',
      visited_at: 'time',
    },
  }),
  declareStream('bookmarks', 'Bookmarks', {
    description: 'Bookmarks of browsers and bookmark services.',
    detail: 'The pages you bookmarked, with folders and tags.',
    time: 'added_at',
    view: { label: 'Title and address', fields: ['id', 'title', 'url', 'folder'] },
    search: ['title', 'url', 'description', 'folder', 'tags'],
    fields: {
      id: 'text',
      title: 'text',
      url: 'text',
      host: 'text: The site, such as example.org',
      folder: 'text: The folders that contain it: Dev / PHP',
      tags: 'list',
      description: 'text',
      added_at: 'time',
      updated_at: 'time',
    },
  }),
]);

type Read = (file: InputFile, keys: BookmarkRecords) => AsyncIterable<ImportItem>;

/** Reads history and bookmarks of any browser: its databases, Google Takeout, and bookmark files. */
export const browserImporter: Importer = {
  format: 'browser',
  title: 'Browser history and bookmarks',
  guide: {
    steps: [
      'Bookmarks: open the bookmark manager of your browser and choose “Export bookmarks” (HTML).',
      'Chrome, through Google Takeout: open takeout.google.com, tick only “Chrome”, and drop the zip here.',
      'Any browser on this computer: close it and take “History” (Chrome, Edge, Brave), “places.sqlite” (Firefox) or “History.db” (Safari) from the folder of your profile.',
    ],
    waiting: 'Immediately for bookmarks and databases; Google Takeout takes a few minutes.',
    choose: 'A database contains only the history that the browser keeps: 90 days in Chrome.',
  },
  recognise: (files) => recogniseFiles(files, async (file) => (await findReader(file)) !== undefined),
  declare: async () => browserDeclaration,
  async *read({ files }, _options: ImportOptions) {
    const keys = new BookmarkRecords();
    for (const file of files) {
      const read = await findReader(file);
      if (read !== undefined) yield* read(file, keys);
    }
  },
};

async function findReader(file: InputFile): Promise<Read | undefined> {
  if (await isDatabase(file)) return (await isHistory(file)) ? readHistoryDatabase : undefined;
  const head = await peekText(file);
  if (/^\s*\{/.test(head)) {
    if (/"Browser History"\s*:\s*\[/.test(head)) return readHistoryJson;
    if (/"browser_name"\s*:\s*"Safari/.test(head) && /"data_type"\s*:\s*"history"/.test(head))
      return readSafariJson;
    if (/"guid"\s*:\s*"root_/.test(head) && head.includes('text/x-moz-place-container'))
      return readBookmarksJson;
    return /"roots"\s*:\s*\{/.test(head) && /"bookmark_bar"\s*:/.test(head) ? readBookmarksJson : undefined;
  }
  const isNetscape = /<!doctype\s+netscape-bookmark-file/i.test(head.slice(0, 2_000));
  // Some services omit the first line. Pocket has its own title.
  const isPocket = /<title>Pocket Export<\/title>/i.test(head.slice(0, 2_000));
  return isNetscape || isPocket || /<dl>[\s\S]{0,2000}<dt>\s*<(?:a|h3)\s[^>]*(?:add_date|href)=/i.test(head)
    ? readBookmarksHtml
    : undefined;
}

/** Checks the table names in the first bytes, then opens the database: a locked one cannot be opened. */
async function isHistory(file: InputFile): Promise<boolean> {
  const head = Buffer.from(await file.head()).toString('latin1');
  const names = (table: string) => new RegExp(`CREATE TABLE ["'\`]?${table}\\b`, 'i').test(head);
  if (historyKinds.some(({ tables }) => tables.every(names))) return true;
  const database = await openDatabase(file);
  const kind = database === undefined ? undefined : findHistoryKind(database);
  database?.close();
  return kind !== undefined;
}

/** Reads the Chrome history of Google Takeout: `History.json`, before 2024 `BrowserHistory.json`. */
async function* readHistoryJson(file: InputFile): AsyncGenerator<ImportItem> {
  yield* readEach(file, readJsonElements(file, ['Browser History.*']), function* (element) {
    const place = `visit ${Number(element.path[1]) + 1}`;
    const visit = isObject(element.value) ? element.value : {};
    const url = trimmedText(visit.url);
    if (url === undefined) return yield makeProblem(file, 'has no address', place);
    const data = {
      // Page titles may change between exports.
      id: hashKey(trimmedText(visit.time_usec), url, trimmedText(visit.client_id)),
      title: trimmedText(visit.title),
      url,
      host: findHost(url),
      browser: 'Chrome',
      how: trimmedText(visit.page_transition ?? visit.page_transition_qualifier)
        ?.toLowerCase()
        .replaceAll('_', ' '),
      visited_at: readEpoch(visit.time_usec, 'us'),
    };
    yield makeRecord(file, 'visits', data, place);
  });
}

/** Reads the history that Safari exports since 2024: the last visit of each page. */
async function* readSafariJson(file: InputFile): AsyncGenerator<ImportItem> {
  yield makeNote(file, 'Safari exports only the last visit of each page');
  yield* readEach(file, readJsonElements(file, ['history.*']), function* (element) {
    const place = `visit ${Number(element.path[1]) + 1}`;
    const visit = isObject(element.value) ? element.value : {};
    const url = trimmedText(visit.url);
    if (url === undefined) return yield makeProblem(file, 'has no address', place);
    const data = {
      id: hashKey('Safari', String(visit.time_usec), url),
      title: trimmedText(visit.title),
      url,
      host: findHost(url),
      browser: 'Safari',
      visited_at: readEpoch(visit.time_usec, 'us'),
    };
    yield makeRecord(file, 'visits', data, place);
  });
}

const MAX_DEPTH = 100;

/** Reads the `Bookmarks` file of a Chrome, Edge or Brave profile, or a Firefox backup. */
async function* readBookmarksJson(file: InputFile, keys: BookmarkRecords): AsyncGenerator<ImportItem> {
  const whole = await readJson(file);
  if (whole.kind === 'broken') return yield makeProblem(file, whole.reason);
  const { value } = whole;
  const roots = !isObject(value) ? [] : isObject(value.roots) ? Object.values(value.roots) : [value];
  for (const root of roots) if (isObject(root)) yield* walk(root, [], file, keys);
}

function* walk(
  node: Record<string, unknown>,
  folders: readonly string[],
  file: InputFile,
  keys: BookmarkRecords,
): Generator<ImportItem> {
  const url = trimmedText(node.url) ?? trimmedText(node.uri);
  const title = trimmedText(node.name) ?? trimmedText(node.title);
  if (url !== undefined) {
    const at = (value: unknown) => readChromeTime(numberOf(value));
    const tags = trimmedText(node.tags)?.split(',') ?? [];
    const data = keys.toRecord({
      url,
      title,
      folders,
      tags,
      description: undefined,
      addedAt: at(node.date_added) ?? readEpoch(node.dateAdded, 'us'),
      updatedAt: at(node.date_modified) ?? readEpoch(node.lastModified, 'us'),
    });
    yield makeRecord(file, 'bookmarks', data);
  }
  if (folders.length >= MAX_DEPTH) return;
  for (const child of objectsOf(node.children))
    yield* walk(child, title === undefined ? folders : [...folders, title], file, keys);
}

function readChromeTime(microseconds: number | undefined): string | undefined {
  if (microseconds === undefined || microseconds === 0) return undefined;
  return formatTime(Math.round(microseconds / 1_000) - CHROME_EPOCH_MS);
}

type Attributes = Readonly<Record<string, string>>;

/** Reads the Netscape bookmark format: DL is a folder's content, H3 its name, A a bookmark, DD a note. */
async function* readBookmarksHtml(file: InputFile, keys: BookmarkRecords): AsyncGenerator<ImportItem> {
  const folders: string[] = [];
  let heading = '';
  let open: { attributes: Attributes; title: string; description: string } | undefined;
  let inside: 'heading' | 'link' | 'remark' | undefined;
  let count = 0;
  const close = function* (): Generator<ImportItem> {
    if (open === undefined) return;
    const bookmark = toBookmark(open, folders);
    open = undefined;
    count += 1;
    const place = `bookmark ${count}`;
    if (bookmark === undefined) yield makeProblem(file, 'has no address', place);
    else yield makeRecord(file, 'bookmarks', keys.toRecord(bookmark), place);
  };
  for await (const event of readHtmlEvents(file)) {
    if (event.kind === 'text') {
      if (inside === 'heading') heading += event.text;
      if (inside === 'link' && open !== undefined) open.title += event.text;
      if (inside === 'remark' && open !== undefined) open.description += event.text;
    } else if (event.kind === 'open') {
      if (event.name !== 'dd' && /^(?:a|h3|dl|dt)$/.test(event.name)) yield* close();
      if (event.name === 'h3') heading = '';
      if (event.name === 'dl') folders.push(heading.trim());
      if (event.name === 'a') open = { attributes: event.attributes, title: '', description: '' };
      inside = { h3: 'heading', a: 'link', dd: 'remark' }[event.name] as typeof inside;
    } else if (event.name === 'dl') {
      yield* close();
      folders.pop();
      heading = '';
    } else if (event.name === 'a' || event.name === 'h3') inside = undefined;
  }
  yield* close();
  if (count === 0) yield makeNote(file, 'contains no bookmarks');
}

function toBookmark(
  { attributes, title, description }: { attributes: Attributes; title: string; description: string },
  folders: readonly string[],
): Bookmark | undefined {
  const url = (attributes.href ?? attributes.feedurl ?? '').trim();
  if (url === '') return undefined;
  const collapseSpaces = (text: string) => text.replace(/\s+/g, ' ').trim() || undefined;
  return {
    url,
    title: collapseSpaces(title),
    folders: folders.filter((folder) => folder !== ''),
    tags: splitList(attributes.tags),
    description: collapseSpaces(description),
    addedAt: readEpoch(attributes.add_date ?? attributes.time_added),
    updatedAt: readEpoch(attributes.last_modified),
  };
}
