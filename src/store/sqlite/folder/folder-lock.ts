import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../../errors.ts';
import { finishRestore, isRestoreWaiting } from './finish-restore.ts';
import { type HeldLock, takeLock } from './held-lock.ts';
import { readNote, removeNote, type ServerNote, writeNote } from './server-note.ts';

/** Whoever only looks, or moves files, has the lock for a moment. */
const MOMENT_MS = 1_000;
const PATIENCE_MS = 10_000;

const lockFile = (directory: string) => join(directory, 'folder.lock');

/** For everyone who opens the store: as long as it is held, its files are not replaced. */
export function shareFolder(directory: string): HeldLock {
  if (isRestoreWaiting(directory)) completeRestore(directory);
  const lock = takeLock(lockFile(directory), 'shared', PATIENCE_MS);
  if (lock === undefined) throw beingRestored();
  // Another process may have come to its end between the look and the lock.
  if (!isRestoreWaiting(directory)) return lock;
  lock.release();
  return shareFolder(directory);
}

/** Makes this process the one server of the folder, or refuses and says who is. */
export function serveFolder(directory: string, note: Omit<ServerNote, 'pid'>): HeldLock {
  const lock = takeLock(lockFile(directory), 'first', MOMENT_MS);
  if (lock === undefined) throw inUse(directory);
  writeNote(directory, { pid: process.pid, ...note });
  return {
    release() {
      removeNote(directory);
      lock.release();
    },
  };
}

/** For whoever replaces the files: nobody else has the folder open, and nobody opens it meanwhile. */
export function ownFolder(directory: string): HeldLock {
  const lock = takeLock(lockFile(directory), 'alone', MOMENT_MS);
  if (lock === undefined) throw inUse(directory);
  removeNote(directory);
  return lock;
}

/** The server that has the folder now. A note that a dead one has left does not count. */
export function findServer(directory: string): ServerNote | 'unknown' | undefined {
  if (!existsSync(lockFile(directory))) return undefined;
  const lock = takeLock(lockFile(directory), 'first', 0);
  lock?.release();
  return lock === undefined ? (readNote(directory) ?? 'unknown') : undefined;
}

function completeRestore(directory: string): void {
  const lock = takeLock(lockFile(directory), 'alone', PATIENCE_MS);
  if (lock === undefined) throw beingRestored();
  try {
    finishRestore(directory);
  } finally {
    lock.release();
  }
}

function inUse(directory: string): AppError {
  const server = findServer(directory);
  const hint = 'Stop it first, or choose another folder with --data.';
  if (server === undefined || server === 'unknown')
    return new AppError('conflict', 'Another pdpp has this data folder open.', { hint });
  const { pid, url: address, started_at } = server;
  const since = `${started_at.slice(0, 16).replace('T', ' ')} UTC`;
  return new AppError('conflict', 'Another pdpp serves this data folder.', { pid, address, since, hint });
}

function beingRestored(): AppError {
  return new AppError('busy', 'The data folder is being restored.', { hint: 'Try again in a minute.' });
}
