import type Database from 'better-sqlite3';
import { formatTime } from '../../import/read/read-time.ts';
import { listTables } from '../files/open-database.ts';
import type { Bookmark } from './bookmark.ts';

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

/** Firefox keeps tags as folders below one called `tags`, and a tagged page is in both. */
export function* listFirefoxBookmarks(database: Database.Database): Generator<Bookmark> {
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
  const placed = pages.map((row) => ({ row, names: listFolders(row) }));
  for (const { row, names } of placed)
    if (names[0] === 'tags' && names[1] !== undefined)
      tagged.set(row.fk ?? -1, [...(tagged.get(row.fk ?? -1) ?? []), names[1]]);
  for (const { row, names } of placed) {
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
