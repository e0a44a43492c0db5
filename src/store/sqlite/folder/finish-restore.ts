import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { syncToDisk } from './private-files.ts';
import { OLD_SECRET_FILE, SECRET_FILE } from './secret-file.ts';

/** The files of a store, in the order in which a restore replaces them. */
export const storeFiles = ['store.sqlite', 'audit.sqlite', SECRET_FILE] as const;

/**
 * The folder of a restored store that is complete and checked. Once a folder has this name, the restore will be
 * completed: the next process that opens the store moves the files into place.
 */
export const READY = 'restore.ready';
/** A file in that folder: the name of the folder for the old files. */
export const ASIDE_NOTE = 'aside';

export function isRestoreWaiting(directory: string): boolean {
  return existsSync(join(directory, READY));
}

/** Moves a restored store into place. It can be interrupted and repeated. The caller holds the lock of the folder. */
export function finishRestore(directory: string): void {
  const ready = join(directory, READY);
  if (existsSync(join(ready, ASIDE_NOTE))) {
    const aside = join(directory, readFileSync(join(ready, ASIDE_NOTE), 'utf8').trim());
    // A restore that an older version prepared has the old name.
    for (const name of [...storeFiles, OLD_SECRET_FILE]) replaceFile(directory, ready, aside, name);
    syncToDisk(directory);
  }
  rmSync(ready, { recursive: true, force: true });
}

/** Replaces a file. As long as the new file is in the restore folder, the data folder still has the old one. */
function replaceFile(directory: string, ready: string, aside: string, name: string): void {
  if (!existsSync(join(ready, name))) return;
  const isSecret = name === SECRET_FILE || name === OLD_SECRET_FILE;
  const replaced = isSecret ? [SECRET_FILE, OLD_SECRET_FILE] : [`${name}-wal`, `${name}-shm`, name];
  for (const old of replaced.filter((one) => existsSync(join(directory, one)))) {
    mkdirSync(aside, { recursive: true, mode: 0o700 });
    renameSync(join(directory, old), join(aside, old));
  }
  renameSync(join(ready, name), join(directory, name));
}
