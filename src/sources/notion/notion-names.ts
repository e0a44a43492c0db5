import type { InputFile } from '../../import/importer.ts';

const ID = /^(.*?)[ -]?([0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;
/** Other programs that write such exports use ids of their own. */
const OTHER_ID = /^(.*\S) ([a-z]+(?:-[a-z]+)*-\d+)$/i;
/** Notion's names of the archive and its parts. */
const ARCHIVE = /^(?:[0-9a-f-]{36}_)?Export-[0-9a-f-]{8,}(?:-Part-\d+)?$/i;

const stripEnding = (path: string): string => path.replace(/(?:_all)?\.(?:md|html?|csv)$/i, '');

export function readName(name: string) {
  const [, title, id] = ID.exec(name) ?? OTHER_ID.exec(name) ?? [];
  return { title: (title ?? name).trim(), id: id === undefined ? undefined : normaliseId(id) };
}

/** Returns whether a name ends in a Notion id. */
export const hasNotionId = (path: string): boolean => ID.test(baseOf(path));

export const baseOf = (path: string): string => stripEnding(path.slice(path.lastIndexOf('/') + 1));

/** Returns a key for the folder of a file. Ids are left out, because some names lack them. */
export function folderKey(path: string): string {
  return path.includes('/') ? plainPath(path.slice(0, path.lastIndexOf('/'))) : '';
}

/** Returns the key of the folder with a page's children. */
export const childFolderKey = ({ path }: InputFile): string => plainPath(stripEnding(path));

const plainPath = (path: string) => readTitles(path.split('/')).join('/');

/** The titles of the parent pages, from the top. */
export const listFolders = (path: string): string[] => readTitles(path.split('/').slice(0, -1));

/** Returns titles without the archive name: a database and its pages may be in different parts of an archive. */
function readTitles(names: readonly string[]): string[] {
  const archive = names.findLastIndex((name) => ARCHIVE.test(name));
  return names.slice(archive + 1).map((name) => readName(name).title);
}

/** A UUID without dashes; other ids keep theirs. */
export function normaliseId(id: string): string {
  const plain = id.replaceAll('-', '').toLowerCase();
  return /^[0-9a-f]{32}$/.test(plain) ? plain : id;
}
