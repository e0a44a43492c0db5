import type { InputFile } from '../../import/importer.ts';

const ID = /^(.*?)[ -]?([0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;
/** Other programs that write exports of this kind give ids of their own. */
const OTHER_ID = /^(.*\S) ([a-z]+(?:-[a-z]+)*-\d+)$/i;
/** What Notion calls the archive and its parts. */
const ARCHIVE = /^(?:[0-9a-f-]{36}_)?Export-[0-9a-f-]{8,}(?:-Part-\d+)?$/i;

const stripEnding = (path: string): string => path.replace(/(?:_all)?\.(?:md|html?|csv)$/i, '');

export function readName(name: string) {
  const [, title, id] = ID.exec(name) ?? OTHER_ID.exec(name) ?? [];
  return { title: (title ?? name).trim(), id: id === undefined ? undefined : normaliseId(id) };
}

/** Whether a name ends in an id as Notion makes them. */
export const hasNotionId = (path: string): boolean => ID.test(baseOf(path));

export const baseOf = (path: string): string => stripEnding(path.slice(path.lastIndexOf('/') + 1));

/** The folder that a file lies in, to find what belongs together: ids are left out of some names. */
export function folderKey(path: string): string {
  return path.includes('/') ? plainPath(path.slice(0, path.lastIndexOf('/'))) : '';
}

/** A file's own path as the folder of what lies below it is called. */
export const ownKey = ({ path }: InputFile): string => plainPath(stripEnding(path));

const plainPath = (path: string) => readTitles(path.split('/')).join('/');

/** The titles of the pages above, from the top of the workspace. */
export const listFolders = (path: string): string[] => readTitles(path.split('/').slice(0, -1));

/** Without the archive: a database and its pages may lie in different parts of it. */
function readTitles(names: readonly string[]): string[] {
  const archive = names.findLastIndex((name) => ARCHIVE.test(name));
  return names.slice(archive + 1).map((name) => readName(name).title);
}

/** A UUID without its dashes; ids of other kinds keep theirs. */
export function normaliseId(id: string): string {
  const plain = id.replaceAll('-', '').toLowerCase();
  return /^[0-9a-f]{32}$/.test(plain) ? plain : id;
}
