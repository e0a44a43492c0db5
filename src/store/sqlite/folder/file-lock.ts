import { closeSync, existsSync, openSync } from 'node:fs';
import { basename } from 'node:path';
import { unusable } from '../../failures.ts';
import { Sqlite } from './database-module.ts';

/** A lock that the operating system releases when the process dies. */
export interface FileLock {
  release(): void;
}

/**
 * SQLite's own lock levels on an empty database. Many processes can share the lock, one of them can also hold it as
 * `first`, and the holder of `alone` shares it with nobody.
 */
const LEVELS = {
  shared: 'begin; select 1 from sqlite_master',
  first: 'begin immediate',
  alone: 'begin exclusive',
};

export type LockLevel = keyof typeof LEVELS;

/** Takes a lock, or returns undefined when others prevent it. Unlike a file with a process id, it cannot outlive its holder. */
export function takeFileLock(file: string, level: LockLevel, waitMs: number): FileLock | undefined {
  createLockFile(file);
  const database = new Sqlite(file, { timeout: waitMs });
  try {
    database.exec(LEVELS[level]);
  } catch (error) {
    database.close();
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return undefined;
    const name = basename(file);
    throw unusable(`${name} in the data folder is not a lock file.`, `Delete ${name}.`, error);
  }
  return { release: () => database.close() };
}

/** Does not open a file that exists: on POSIX, opening and closing it releases the locks that this process has on it. */
function createLockFile(file: string): void {
  if (existsSync(file)) return;
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
