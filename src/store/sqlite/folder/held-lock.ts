import { closeSync, existsSync, openSync } from 'node:fs';
import Database from 'better-sqlite3';
import { unusable } from '../../store-error.ts';

/** A lock that is held. The system itself takes it away when the process dies, however that happens. */
export interface HeldLock {
  release(): void;
}

/**
 * Many may share a file. One of them can be the first among them, whom no other can be beside. Whoever has it alone
 * shares it with nobody.
 */
export type LockLevel = 'shared' | 'first' | 'alone';

/** These are SQLite's own levels: SHARED, RESERVED and EXCLUSIVE. */
const HOLD: Record<LockLevel, string> = {
  shared: 'begin; select 1 from sqlite_master',
  first: 'begin immediate',
  alone: 'begin exclusive',
};

/**
 * Takes the lock that a file stands for, or says undefined when others keep it from that. It is SQLite's lock on an empty
 * database: unlike a process id in a file, it cannot outlive its holder or be mistaken for somebody else's.
 */
export function takeLock(file: string, level: LockLevel, patienceMs: number): HeldLock | undefined {
  makeEmpty(file);
  const database = new Database(file, { timeout: patienceMs });
  try {
    database.exec(HOLD[level]);
  } catch (error) {
    database.close();
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return undefined;
    throw unusable('The lock file of the data folder is not one.', 'Delete folder.lock.', error);
  }
  return { release: () => database.close() };
}

/** Only where there is none: on POSIX, opening and closing a file lets go of the locks that this process has on it. */
function makeEmpty(file: string): void {
  if (existsSync(file)) return;
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
