import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TIME_ZONE } from './options.ts';
import { mcpTarget, type ToolCall } from './requests.ts';

const START_MS = 20_000;
const root = join(import.meta.dirname, '..');

/** A server in a process of its own. When it ends before it is told to, that is printed and calls fail. */
export interface Running {
  readonly port: number;
  /** Megabytes. `mapped` is the part of the memory that is the database file itself. */
  readMemory(): { rss: number; peak: number; mapped: number };
  /** CPU milliseconds so far; unlike time on the clock, hardly touched by what else the machine does. */
  readCpu(): number;
  /** CPU milliseconds of the database so far, if it has processes of its own. */
  readDatabaseCpu?(): number;
  stop(): Promise<void>;
}

/** Starts a built server without limits on calls: a benchmark is the loop that they stop. */
export async function startReal(
  directory: string,
  {
    tree = root,
    options = [],
    env = {},
  }: {
    readonly tree?: string;
    readonly options?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
  } = {},
): Promise<Running> {
  const port = await findPort();
  const args = [join(tree, 'dist/src/cli.js'), 'serve', '--data', directory, '--port', String(port)];
  const hasLimits = ['src/calls', 'src/reads'].some((folder) => existsSync(join(tree, folder)));
  const limits = hasLimits ? ['--calls-per-minute', '0', '--work-per-minute', '0'] : [];
  return startServer(port, [...args, '--time-zone', TIME_ZONE, ...limits, ...options], 'Open ', env);
}

export async function startBare(directory: string): Promise<Running> {
  const port = await findPort();
  const script = join(import.meta.dirname, 'bare-server.ts');
  return startServer(port, ['--import', 'tsx', script, directory, String(port)], 'listening');
}

/** Starts a Node program and waits until it prints a text. */
export async function startServer(
  port: number,
  args: readonly string[],
  ready: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Running> {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-2_000);
    });
  let isStopping = false;
  child.once('exit', (code, signal) => {
    if (!isStopping) console.error(`a server ended by itself (${signal ?? `code ${code}`}):\n${said}`);
  });
  const deadline = Date.now() + START_MS;
  while (!said.includes(ready)) {
    if (Date.now() > deadline || child.exitCode !== null || child.signalCode !== null) {
      isStopping = true;
      await stopChild(child);
      throw new Error(`a server did not start:\n${said}`);
    }
    await sleep(20);
  }
  return {
    port,
    readMemory: () => readMemory(child.pid as number),
    readCpu: () => readCpu(child.pid as number),
    stop() {
      isStopping = true;
      return stopChild(child);
    },
  };
}

/** Measures the milliseconds from process start to the first tool result. */
export async function measureColdStart(directory: string, token: string): Promise<number> {
  const port = await findPort();
  const target = mcpTarget({ port, readCpu: () => 0 }, token);
  const request = target.write({ name: 'query_records', arguments: { stream: 'transactions', limit: 1 } });
  const args = [join(root, 'dist/src/cli.js'), 'serve', '--data', directory, '--port', String(port)];
  const started = performance.now();
  const child = spawn(process.execPath, [...args, '--time-zone', TIME_ZONE], { stdio: 'ignore' });
  const connection = await target.connect();
  try {
    for (;;) {
      try {
        await connection.send(request);
        return performance.now() - started;
      } catch (error) {
        const isRefused = (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
        if (!isRefused || performance.now() - started > START_MS) throw error;
        await sleep(5);
      }
    }
  } finally {
    connection.close();
    await stopChild(child);
  }
}

/** Measures the milliseconds of the first call to a server that has just started. */
export async function measureFirstCall(directory: string, token: string, call: ToolCall): Promise<number> {
  const real = await startReal(directory);
  const target = mcpTarget(real, token);
  const connection = await target.connect();
  try {
    const started = performance.now();
    await connection.send(target.write(call));
    return performance.now() - started;
  } finally {
    connection.close();
    await real.stop();
  }
}

function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

/** Known from the process itself, where there is a /proc; elsewhere nothing is said. */
function readMemory(pid: number): { rss: number; peak: number; mapped: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string) =>
    Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? Number.NaN) / 1_024);
  return { rss: megabytes('VmRSS'), peak: megabytes('VmHWM'), mapped: megabytes('RssFile') };
}

const TICK_MS = 10;

export function readCpu(pid: number): number {
  // The name of the program, in brackets, may hold spaces; after it come single fields, of which the 12th and 13th are ticks.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Finds a free port in advance, because the server rejects Host headers that it was not started with. */
export function findPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
