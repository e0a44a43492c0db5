import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { OLD_SECRET_FILE, SECRET_FILE } from './secret-file.ts';
import { syncFolder } from './sync-file.ts';

/** The files of a store, in the order in which a restored one takes the place of another. */
export const storeFiles = ['store.sqlite', 'audit.sqlite', SECRET_FILE] as const;

/**
 * A restored store waits under this name, whole and checked, beside the one it replaces. From the moment the
 * folder has this name the restore has happened; moving its files into place is finished by whoever comes next.
 */
export const READY = 'restore.ready';
/** In the waiting folder: the name under which the old files are kept. */
export const ASIDE_NOTE = 'aside';

export function isRestoreWaiting(directory: string): boolean {
  return existsSync(join(directory, READY));
}

/** Moves a waiting store into place. Stopped at any point, it can be done again. The caller has the folder alone. */
export function finishRestore(directory: string): void {
  const ready = join(directory, READY);
  if (existsSync(join(ready, ASIDE_NOTE))) {
    const aside = join(directory, readFileSync(join(ready, ASIDE_NOTE), 'utf8').trim());
    // A restore that an older version prepared has the old name.
    for (const name of [...storeFiles, OLD_SECRET_FILE]) moveIn(directory, ready, aside, name);
    syncFolder(directory);
  }
  rmSync(ready, { recursive: true, force: true });
}

/** As long as the new file waits, what has its name is the old one. */
function moveIn(directory: string, ready: string, aside: string, name: string): void {
  if (!existsSync(join(ready, name))) return;
  const isSecret = name === SECRET_FILE || name === OLD_SECRET_FILE;
  const replaced = isSecret ? [SECRET_FILE, OLD_SECRET_FILE] : [`${name}-wal`, `${name}-shm`, name];
  for (const old of replaced.filter((one) => existsSync(join(directory, one)))) {
    mkdirSync(aside, { recursive: true, mode: 0o700 });
    renameSync(join(directory, old), join(aside, old));
  }
  renameSync(join(ready, name), join(directory, name));
}
