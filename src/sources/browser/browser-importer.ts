import type { Importer, ImportOptions, InputFile, Yielded } from '../../import/importer.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { isDatabase, openDatabase } from '../files/open-database.ts';
import { BookmarkKeys } from './bookmark.ts';
import { browserDeclaration } from './browser-declaration.ts';
import { historyKinds } from './history-kinds.ts';
import { readBookmarksHtml } from './read-bookmarks-html.ts';
import { readBookmarksJson } from './read-bookmarks-json.ts';
import { findHistoryKind, readHistoryDatabase } from './read-history-database.ts';
import { readHistoryJson } from './read-history-json.ts';

type Read = (file: InputFile, keys: BookmarkKeys) => AsyncIterable<Yielded>;

/** History and bookmarks of any browser: its own databases, Google Takeout, and the bookmark file that all can write. */
export const browserImporter: Importer = {
  format: 'browser',
  title: 'Browser history and bookmarks',
  guide: {
    steps: [
      'Bookmarks: open the bookmark manager of your browser and choose “Export bookmarks” (HTML).',
      'Chrome, by way of Google: open takeout.google.com, tick only “Chrome”, and drop the zip here.',
      'Any browser on this computer: close it and take “History” (Chrome, Edge, Brave), “places.sqlite” (Firefox) or “History.db” (Safari) from the folder of your profile.',
    ],
    waiting: 'None for bookmarks and databases; Google Takeout takes some minutes.',
    choose: 'A database goes back only as far as the browser keeps its history: 90 days in Chrome.',
  },
  async recognise(files) {
    const found: InputFile[] = [];
    for (const file of files) if ((await findReader(file)) !== undefined) found.push(file);
    return found.length === 0 ? [] : [{ files: found, certainty: 'certain' }];
  },
  declare: async () => browserDeclaration,
  async *read({ files }, _options: ImportOptions) {
    const keys = new BookmarkKeys();
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
    if (/"guid"\s*:\s*"root_/.test(head) && head.includes('text/x-moz-place-container'))
      return readBookmarksJson;
    return /"roots"\s*:\s*\{/.test(head) && /"bookmark_bar"\s*:/.test(head) ? readBookmarksJson : undefined;
  }
  const isNetscape = /<!doctype\s+netscape-bookmark-file/i.test(head.slice(0, 2_000));
  // Some services leave out the first line, but not the list; Pocket has its own.
  const isPocket = /<title>Pocket Export<\/title>/i.test(head.slice(0, 2_000));
  return isNetscape || isPocket || /<dl>[\s\S]{0,2000}<dt>\s*<(?:a|h3)\s[^>]*(?:add_date|href)=/i.test(head)
    ? readBookmarksHtml
    : undefined;
}

/** By the names of the tables at its beginning, or else by asking it: a locked one cannot be asked. */
async function isHistory(file: InputFile): Promise<boolean> {
  const head = Buffer.from(await file.head()).toString('latin1');
  const names = (table: string) => new RegExp(`CREATE TABLE ["'\`]?${table}\\b`, 'i').test(head);
  if (historyKinds.some(({ tables }) => tables.every(names))) return true;
  const database = await openDatabase(file);
  const kind = database === undefined ? undefined : findHistoryKind(database);
  database?.close();
  return kind !== undefined;
}
