import type { AttachedFile } from '../../attachments/attached-file.ts';
import type { Recognised } from '../../import/importer.ts';

/** The files of an export, found by a part of their path. */
export type FileIndex = ReadonlyMap<string, string>;

/** Indexes the files below a folder, for exports that name files only in part. The first file with a key counts. */
export function indexFiles(
  listFiles: Recognised['listFiles'],
  folder: string,
  findKey: (path: string) => string | undefined,
): FileIndex {
  const index = new Map<string, string>();
  for (const { path } of listFiles?.(folder) ?? []) {
    const key = findKey(path);
    if (key !== undefined && !index.has(key)) index.set(key, path);
  }
  return index;
}

/** Returns the file with a key, if the export has it. */
export function attachIndexed(index: FileIndex, key = '', name?: string): AttachedFile[] {
  const path = index.get(key);
  return path === undefined ? [] : [{ path, folders: [''], name }];
}
