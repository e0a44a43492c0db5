import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { MINUTE_MS } from '../time/durations.ts';
import { ClientError } from './client-error.ts';

const STALE_MS = MINUTE_MS;
const PATIENCE_MS = 45_000;
const LOOK_AGAIN_MS = 40;

/** Runs alone among all processes that name the same file. A lock whose holder died is taken away. */
export async function withFileLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const until = Date.now() + PATIENCE_MS;
  const own = `${process.pid} ${randomUUID()}`;
  while (!takeLock(file, own)) {
    if (Date.now() > until) {
      throw new ClientError('file_locked', 'Another pdpp is renewing this access and does not finish.', {
        hint: 'Try again in a minute.',
      });
    }
    await wait(LOOK_AGAIN_MS * (1 + Math.random()));
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

/** Only the lock that is meant: by now the one that lies there may be another's, who took ours for abandoned. */
function removeLock(file: string, content: string): void {
  if (readLock(file) === content) rmSync(file, { force: true });
}

/** What is written in a lock that nobody holds any more. */
function findAbandoned(file: string): string | undefined {
  const content = readLock(file);
  if (content === undefined) return undefined;
  const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
  const holder = Number.parseInt(content, 10);
  // Not written yet, or a process of ours: its own turn will come.
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
