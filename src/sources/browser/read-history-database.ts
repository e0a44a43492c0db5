import type Database from 'better-sqlite3';
import type { InputFile, Yielded } from '../../import/importer.ts';
import { formatTime } from '../../import/read/read-time.ts';
import { listColumns, listTables, openDatabase } from '../files/open-database.ts';
import { type BookmarkKeys, findHost } from './bookmark.ts';
import { listFirefoxBookmarks } from './firefox-bookmarks.ts';
import { type HistoryKind, historyKinds } from './history-kinds.ts';

interface Visit {
  readonly id: number;
  readonly at: number | null;
  readonly url: string | null;
  readonly title: string | null;
  readonly kind: number | null;
  readonly seconds: number | null;
}

/** Reads the history of a browser from its own database. */
export async function* readHistoryDatabase(file: InputFile, keys: BookmarkKeys): AsyncGenerator<Yielded> {
  const database = await openDatabase(file);
  const kind = database === undefined ? undefined : findHistoryKind(database);
  if (database === undefined || kind === undefined) {
    database?.close();
    yield { kind: 'problem', file, reason: 'cannot be opened; close the browser and copy the file first' };
    return;
  }
  try {
    for (const row of database.prepare(fitColumns(kind, database)).iterate() as Iterable<Visit>)
      yield toVisit(row, kind, file);
    if (kind.browser === 'Firefox')
      for (const bookmark of listFirefoxBookmarks(database))
        yield { kind: 'record', stream: 'bookmarks', data: keys.toRecord(bookmark), file };
  } catch {
    yield { kind: 'problem', file, reason: 'is damaged; what came before the damage was read' };
  } finally {
    database.close();
  }
}

export function findHistoryKind(database: Database.Database): HistoryKind | undefined {
  const tables = new Set(listTables(database));
  return historyKinds.find((kind) => kind.tables.every((table) => tables.has(table)));
}

/** Older browsers lack some columns: they stand in brackets, and become null where they are missing. */
function fitColumns({ visits, tables }: HistoryKind, database: Database.Database): string {
  const columns = new Set(tables.flatMap((table) => [...listColumns(database, table)]));
  return visits.replace(/\[(\w+\.)(\w+)\]/g, (_, alias: string, name: string) =>
    columns.has(name) ? alias + name : 'null',
  );
}

function toVisit(
  { id, at, url, title, kind: how, seconds }: Visit,
  kind: HistoryKind,
  file: InputFile,
): Yielded {
  const place = `visit ${id}`;
  if (typeof url !== 'string' || url === '')
    return { kind: 'problem', file, place, reason: 'has no address' };
  const data = {
    // The number alone is given again by the database of another browser.
    id: `${id}-${at ?? 0}`,
    title: typeof title === 'string' && title !== '' ? title : undefined,
    url,
    host: findHost(url),
    browser: nameBrowser(file.path) ?? kind.browser,
    how: kind.how[how ?? -1] || undefined,
    seconds: typeof seconds === 'number' && seconds > 0 ? Math.round(seconds) : undefined,
    visited_at: typeof at === 'number' ? formatTime(at) : undefined,
  };
  return { kind: 'record', stream: 'visits', data, place, file };
}

/** Browsers made of Chromium keep the same database; the way to it is all that tells them apart. */
function nameBrowser(path: string): string | undefined {
  const names = ['Edge', 'Brave', 'Chromium', 'Opera', 'Vivaldi', 'Arc', 'Chrome', 'Firefox', 'Safari'];
  return names.find((name) => new RegExp(`(^|[/ _-])${name}`, 'i').test(path));
}
