import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../../errors.ts';
import { type FileLock, type LockLevel, takeFileLock } from './file-lock.ts';
import { finishRestore, isRestoreWaiting } from './finish-restore.ts';

/** A lock on the data folder. */
export type FolderLock = FileLock;

/** Describes the server that uses the folder. Only the lock proves that it runs. */
export interface ServerNote {
  readonly pid: number;
  readonly url: string;
  /** Its address on this computer, without a proxy. */
  readonly local?: string;
  readonly started_at: string;
  /** The proxies that it trusts, and its backups. Absent in the note of an earlier version. */
  readonly trusted_proxies?: readonly string[];
  readonly backups?: { readonly folder: string; readonly every_ms: number } | null;
}

const SHORT_WAIT_MS = 1_000;
const LONG_WAIT_MS = 10_000;

const lockFile = (directory: string) => join(directory, 'folder.lock');
const noteFile = (directory: string) => join(directory, 'serve.json');

/** Locks the folder for a process that opens the store: its files are not replaced meanwhile. */
export function shareFolder(directory: string): FolderLock {
  if (isRestoreWaiting(directory)) completeRestore(directory);
  const lock = takeLock(directory, 'shared', LONG_WAIT_MS);
  if (lock === undefined) throw beingRestored();
  // A restore may have been published between the check and the lock.
  if (!isRestoreWaiting(directory)) return lock;
  lock.release();
  return shareFolder(directory);
}

/** Makes this process the only server of the folder. Throws if there is another one. */
export function serveFolder(directory: string, note: Omit<ServerNote, 'pid'>): FolderLock {
  const lock = takeLock(directory, 'first', SHORT_WAIT_MS);
  if (lock === undefined) throw inUse(directory);
  const draft = `${noteFile(directory)}.new`;
  rmSync(draft, { force: true });
  writeFileSync(draft, `${JSON.stringify({ pid: process.pid, ...note })}\n`, { mode: 0o600 });
  renameSync(draft, noteFile(directory));
  return {
    release() {
      rmSync(noteFile(directory), { force: true });
      lock.release();
    },
  };
}

/** Locks the folder exclusively, for a process that replaces its files. Throws if another process has it open. */
export function lockFolder(directory: string): FolderLock {
  const lock = takeLock(directory, 'alone', SHORT_WAIT_MS);
  if (lock === undefined) throw inUse(directory);
  rmSync(noteFile(directory), { force: true });
  return lock;
}

/** Returns the server that uses the folder now. The note of a dead server does not count. */
export function findServer(directory: string): ServerNote | 'unknown' | undefined {
  if (!existsSync(lockFile(directory))) return undefined;
  const lock = takeLock(directory, 'first', 0);
  lock?.release();
  if (lock !== undefined) return undefined;
  try {
    return JSON.parse(readFileSync(noteFile(directory), 'utf8')) as ServerNote;
  } catch {
    return 'unknown';
  }
}

const takeLock = (directory: string, level: LockLevel, waitMs: number) =>
  takeFileLock(lockFile(directory), level, waitMs);

function completeRestore(directory: string): void {
  const lock = takeLock(directory, 'alone', LONG_WAIT_MS);
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
