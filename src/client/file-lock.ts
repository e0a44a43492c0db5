import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { MINUTE_MS } from '../time/durations.ts';
import { ClientError } from './client-error.ts';

const STALE_MS = MINUTE_MS;
const TIMEOUT_MS = 45_000;
const RETRY_MS = 40;

/**
 * Runs work while no other process holds the lock file. Removes the lock of a process that died. The lock of a data folder
 * is SQLite's, which the client must not load.
 */
export async function withFileLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const until = Date.now() + TIMEOUT_MS;
  const own = `${process.pid} ${randomUUID()}`;
  while (!takeLock(file, own)) {
    if (Date.now() > until) {
      throw new ClientError('file_locked', 'Another pdpp process is still renewing this access.', {
        hint: 'Try again in a minute.',
      });
    }
    await wait(RETRY_MS * (1 + Math.random()));
  }
  try {
    return await work();
  } finally {
    removeLock(file, own);
  }
}

function takeLock(file: string, own: string): boolean {
  try {
    writeFileSync(file, own, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const abandoned = findAbandoned(file);
    if (abandoned !== undefined) removeLock(file, abandoned);
    return false;
  }
}

/** Removes the lock only if its content is the same: another process may have replaced it. */
function removeLock(file: string, content: string): void {
  if (readLock(file) === content) rmSync(file, { force: true });
}

/** Returns the content of a lock whose holder died or took too long. */
function findAbandoned(file: string): string | undefined {
  const content = readLock(file);
  if (content === undefined) return undefined;
  const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
  const holder = Number.parseInt(content, 10);
  // An empty lock is being written; a lock of this process will be released.
  const isDead = holder > 0 && holder !== process.pid && !isRunning(holder);
  return isDead || Date.now() - mtimeMs > STALE_MS ? content : undefined;
}

function readLock(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
