import type Database from 'better-sqlite3';
import type { ImportItem, InputFile } from '../../import/importer.ts';
import { formatTime } from '../../import/read/read-time.ts';
import { makeProblem, makeRecord } from '../files/import-items.ts';
import { listColumns, listTables, openDatabase } from '../files/open-database.ts';
import { type Bookmark, type BookmarkRecords, findHost } from './bookmark.ts';
import { type HistoryKind, historyKinds } from './history-kinds.ts';

interface Visit {
  readonly id: number;
  readonly at: number | null;
  readonly url: string | null;
  readonly title: string | null;
  readonly kind: number | null;
  readonly seconds: number | null;
}

export async function* readHistoryDatabase(
  file: InputFile,
  keys: BookmarkRecords,
): AsyncGenerator<ImportItem> {
  const database = await openDatabase(file);
  const kind = database === undefined ? undefined : findHistoryKind(database);
  if (database === undefined || kind === undefined) {
    database?.close();
    yield makeProblem(file, 'cannot be opened; close the browser and copy the file first');
    return;
  }
  try {
    for (const row of database.prepare(replaceMissingColumns(kind, database)).iterate() as Iterable<Visit>)
      yield toVisit(row, kind, file);
    if (kind.browser === 'Firefox')
      for (const bookmark of listFirefoxBookmarks(database))
        yield makeRecord(file, 'bookmarks', keys.toRecord(bookmark));
  } catch {
    yield makeProblem(file, 'is damaged; only the part before the damage was imported');
  } finally {
    database.close();
  }
}

export function findHistoryKind(database: Database.Database): HistoryKind | undefined {
  const tables = new Set(listTables(database));
  return historyKinds.find((kind) => kind.tables.every((table) => tables.has(table)));
}

/** Replaces optional columns (in brackets) with null if the database lacks them. */
function replaceMissingColumns({ visits, tables }: HistoryKind, database: Database.Database): string {
  const columns = new Set(tables.flatMap((table) => [...listColumns(database, table)]));
  return visits.replace(/\[(\w+\.)(\w+)\]/g, (_, alias: string, name: string) =>
    columns.has(name) ? alias + name : 'null',
  );
}

function toVisit(
  { id, at, url, title, kind: how, seconds }: Visit,
  kind: HistoryKind,
  file: InputFile,
): ImportItem {
  const place = `visit ${id}`;
  if (typeof url !== 'string' || url === '') return makeProblem(file, 'has no address', place);
  const data = {
    // Databases of other browsers repeat the same numbers.
    id: `${id}-${at ?? 0}`,
    title: typeof title === 'string' && title !== '' ? title : undefined,
    url,
    host: findHost(url),
    browser: nameBrowser(file.path) ?? kind.browser,
    how: kind.how[how ?? -1] || undefined,
    seconds: typeof seconds === 'number' && seconds > 0 ? Math.round(seconds) : undefined,
    visited_at: typeof at === 'number' ? formatTime(at) : undefined,
  };
  return makeRecord(file, 'visits', data, place);
}

/** Chromium browsers share one database format; the path shows which browser it is. */
function nameBrowser(path: string): string | undefined {
  const names = ['Edge', 'Brave', 'Chromium', 'Opera', 'Vivaldi', 'Arc', 'Chrome', 'Firefox', 'Safari'];
  return names.find((name) => new RegExp(`(^|[/ _-])${name}`, 'i').test(path));
}

interface Row {
  readonly id: number;
  readonly type: number;
  readonly parent: number | null;
  readonly title: string | null;
  readonly url: string | null;
  readonly added: number | null;
  readonly updated: number | null;
  readonly fk: number | null;
}

/** Lists bookmarks with their tags. Firefox stores tags as folders below `tags`: a tagged page is in each of them too. */
function* listFirefoxBookmarks(database: Database.Database): Generator<Bookmark> {
  if (!listTables(database).includes('moz_bookmarks')) return;
  const rows = database
    .prepare(
      `select b.id, b.type, b.parent, b.title, p.url, b.dateAdded / 1000 as added, b.lastModified / 1000 as updated, b.fk
       from moz_bookmarks b left join moz_places p on p.id = b.fk order by b.id`,
    )
    .all() as Row[];
  const folders = new Map(rows.filter(({ type }) => type === 2).map((row) => [row.id, row]));
  const tagged = new Map<number, string[]>();
  const listFolders = (row: Row): string[] => {
    const names: string[] = [];
    let parent = folders.get(row.parent ?? -1);
    for (let depth = 0; parent !== undefined && depth < 100; depth++) {
      if (parent.title !== null && parent.title !== '') names.unshift(parent.title);
      parent = folders.get(parent.parent ?? -1);
    }
    return names;
  };
  const pages = rows.filter(({ type, url }) => type === 1 && url !== null);
  const pagesWithFolders = pages.map((row) => ({ row, names: listFolders(row) }));
  for (const { row, names } of pagesWithFolders)
    if (names[0] === 'tags' && names[1] !== undefined)
      tagged.set(row.fk ?? -1, [...(tagged.get(row.fk ?? -1) ?? []), names[1]]);
  for (const { row, names } of pagesWithFolders) {
    if (names[0] === 'tags') continue;
    yield {
      url: row.url as string,
      title: row.title || undefined,
      folders: names,
      tags: tagged.get(row.fk ?? -1) ?? [],
      description: undefined,
      addedAt: row.added === null ? undefined : formatTime(row.added),
      updatedAt: row.updated === null ? undefined : formatTime(row.updated),
    };
  }
}
