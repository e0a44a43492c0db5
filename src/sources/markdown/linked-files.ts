import { posix } from 'node:path';
import type { AttachedFile } from '../../attachments/attached-file.ts';
import type { InputFile, Recognised } from '../../import/importer.ts';
import { attachIndexed, indexFiles } from '../files/index-files.ts';

/** Names of notes. */
export const NAMED = /\.(md|markdown|mdown|mkd|mdx)$/i;

/** Resolves `.` and `..`, which cannot lead above the beginning of the path. */
export function resolve(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

/**
 * Finds the files that a note links to: by path from the folder of the note or of the vault, then in a vault by name
 * alone, as Obsidian does. `root` is the vault's path with a slash, or empty.
 */
export function createFileFinder(
  recognised: Recognised,
  root: string,
): (targets: readonly string[], note: InputFile) => AttachedFile[] {
  const folder = root === '' ? findCommonFolder(recognised.files) : root.slice(0, -1);
  const names = indexFiles(root === '' ? undefined : recognised.listFiles, folder, (path) =>
    posix.basename(path).toLowerCase(),
  );
  return (targets, { path }) => {
    const own = posix.relative(folder, posix.dirname(path));
    const written = targets.map((target) => target.replace(/[#^|].*$/, '').trim());
    const files = [...new Set(written)].filter(
      (target) => /[^/]\.\w{1,8}$/.test(target) && !NAMED.test(target),
    );
    return files.map((target) => {
      const paths = [resolve(`${own}/${target}`), resolve(target)];
      const found = paths.find((one) => recognised.findFile?.(posix.join(folder, one)) !== undefined);
      if (found !== undefined) return { path: found, folders: [folder] };
      return attachIndexed(names, posix.basename(target).toLowerCase())[0] ?? {};
    });
  };
}

/** The deepest folder that contains all notes. Links cannot lead out of it. */
function findCommonFolder(notes: readonly InputFile[]): string {
  let [common = ''] = notes.map(({ path }) => posix.dirname(path));
  for (const { path } of notes)
    while (common !== '.' && !path.startsWith(`${common}/`)) common = posix.dirname(common);
  return common;
}
