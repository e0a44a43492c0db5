import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** PostgreSQL and PgBouncer refuse to run as root. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const environment = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TZ: 'UTC', HOME: '/nonexistent' };

/** Creates a folder that the programs of a cluster may write, on the disk: a crash must lose what was not synced. */
export function makeClusterFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pdpp-cluster-'));
  return giveFolder(folder);
}

/** Creates a folder if needed, and gives it to the user that runs the programs. */
export function giveFolder(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (NOBODY.uid !== undefined) chownSync(folder, NOBODY.uid, NOBODY.gid);
  return folder;
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Runs a program to its end, as an ordinary user. */
export function runProgram(file: string, args: readonly string[]): string {
  return execFileSync(file, args, {
    ...NOBODY,
    env: environment,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
}

/** Starts a program in the background, as an ordinary user, in a process group of its own. */
export function startProgram(
  file: string,
  args: readonly string[],
  logFile: string,
  more: Record<string, string> = {},
): ChildProcess {
  const log = openSync(logFile, 'a');
  return spawn(file, args, {
    ...NOBODY,
    env: { ...environment, ...more },
    cwd: '/',
    stdio: ['ignore', log, log],
    detached: true,
  });
}

/** Sends a signal to a program and to all that it started. */
export function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has ended.
  }
}

/** Waits until a check passes; an error counts as no. */
export async function waitUntil(
  what: string,
  check: () => boolean | Promise<boolean>,
  timeoutMs = 60_000,
): Promise<void> {
  const until = Date.now() + timeoutMs;
  while (
    !(await Promise.resolve()
      .then(check)
      .catch(() => false))
  ) {
    if (Date.now() > until) throw new Error(`Waited too long: ${what}`);
    await sleep(50);
  }
}
