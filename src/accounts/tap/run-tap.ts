import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { SyncError } from '../sync-source.ts';

export interface TapTimes {
  /** How long a tap may write nothing. */
  readonly idleMs: number;
  /** How long a tap may take to end after it was asked to. */
  readonly endMs: number;
}

export const TAP_TIMES: TapTimes = { idleMs: 5 * 60_000, endMs: 5_000 };

/** A longer line cannot be a record that is stored. */
const MAX_LINE_BYTES = 32 * 2 ** 20;
/** The variables that a tap gets. Others may contain secrets of this server. */
const PASSED_ON =
  /^(?:PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR|TEMP|TMP|SYSTEMROOT|PATHEXT|SSL_CERT_(?:FILE|DIR)|https?_proxy|no_proxy|HTTPS?_PROXY|NO_PROXY)$/;

export interface TapRun {
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly directory: string;
  readonly times: TapTimes;
  readonly signal: AbortSignal;
}

/**
 * Runs a tap and yields the lines that it writes. When the caller stops reading or the signal is aborted, the tap and the
 * processes that it started are ended. Throws SyncError if the tap cannot be started, fails, stalls or writes endless lines.
 */
export async function* runTap(run: TapRun): AsyncGenerator<string> {
  const { signal, times } = run;
  if (signal.aborted) return;
  const [program = '', ...first] = run.command;
  const child = spawn(program, [...first, ...run.args], {
    cwd: run.directory,
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED_ON.test(name))),
    stdio: ['ignore', 'pipe', 'ignore'],
    // The tap runs in a process group of its own, so that the processes it starts end with it.
    detached: process.platform !== 'win32',
  });
  const ended = waitForEnd(child);
  const stop = () => void endGroup(child, ended, times.endMs);
  signal.addEventListener('abort', stop, { once: true });
  let [isReading, isStalled] = [true, false];
  const timer = setTimeout(() => {
    if (!isReading) return;
    isStalled = true;
    stop();
  }, times.idleMs);
  try {
    for await (const line of splitLines(child.stdout as AsyncIterable<Buffer>)) {
      // The idle time of a tap does not include the time in which the caller stores a line.
      isReading = false;
      yield line;
      isReading = true;
      timer.refresh();
    }
    const { code, error } = await ended;
    if (signal.aborted) return;
    if (isStalled) throw new SyncError('too_slow', 'The tap stopped writing.', 'pdpp tries again later.');
    if (error !== undefined) throw describeStart(error);
    if (code !== 0)
      throw new SyncError(
        'command_failed',
        'The tap ended with an error.',
        'Run its command in a terminal to see the error.',
        new Error(`exit code ${code ?? 'of a signal'}`),
      );
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    await endGroup(child, ended, times.endMs);
  }
}

interface TapEnd {
  readonly code: number | null;
  readonly error?: NodeJS.ErrnoException;
}

function waitForEnd(child: ChildProcess): Promise<TapEnd> {
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: null, error }));
    child.on('close', (code) => resolve({ code }));
  });
}

function describeStart(error: NodeJS.ErrnoException): SyncError {
  const message =
    error.code === 'ENOENT' ? 'The command was not found.' : 'The command could not be started.';
  return new SyncError(
    'command_failed',
    message,
    'Check the path and the permissions of the command.',
    error,
  );
}

async function endGroup(child: ChildProcess, ended: Promise<TapEnd>, endMs: number): Promise<void> {
  signalGroup(child, 'SIGTERM');
  const isOver = await Promise.race([ended.then(() => true), sleep(endMs, false, { ref: false })]);
  // Processes of the group may outlive the tap itself.
  signalGroup(child, 'SIGKILL');
  if (!isOver) await ended;
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  const { pid } = child;
  if (pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-pid, signal);
  } catch {
    // The group has ended.
  }
}

async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const line = Buffer.concat([...parts, chunk.subarray(start, end)]);
      [parts, length, start] = [[], 0, end + 1];
      if (line.length > MAX_LINE_BYTES) throw lineTooLong();
      yield line.toString('utf8');
    }
    parts.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > MAX_LINE_BYTES) throw lineTooLong();
  }
  if (length > 0) yield Buffer.concat(parts).toString('utf8');
}

const lineTooLong = () =>
  new SyncError('too_large', 'The tap wrote a line of more than 32 MB.', 'Leave out its largest stream.');
