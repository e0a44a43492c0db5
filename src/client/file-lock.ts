import { closeSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../errors.ts';

const STALE_MS = 60_000;
const PATIENCE_MS = 45_000;
const LOOK_AGAIN_MS = 40;

/** Runs alone among all processes that name the same file. A lock whose holder died is taken away. */
export async function withFileLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const until = Date.now() + PATIENCE_MS;
  while (!takeLock(file)) {
    if (Date.now() > until) {
      throw new AppError('busy', 'Another pdpp is renewing this access and does not finish.', {
        hint: 'Try again in a minute.',
      });
    }
    await wait(LOOK_AGAIN_MS * (1 + Math.random()));
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function takeLock(file: string): boolean {
  try {
    const handle = openSync(file, 'wx', 0o600);
    writeFileSync(handle, String(process.pid));
    closeSync(handle);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (isAbandoned(file)) rmSync(file, { force: true });
    return false;
  }
}

function isAbandoned(file: string): boolean {
  try {
    if (Date.now() - statSync(file).mtimeMs > STALE_MS) return true;
    const holder = Number(readFileSync(file, 'utf8'));
    // Not written yet, or a process of ours: its own turn will come.
    return holder > 0 && holder !== process.pid && !isRunning(holder);
  } catch {
    return false;
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
