import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { findBuild, findChild } from './processes/build.ts';

const CLI = 'src/cli.ts';
const NOWHERE = join(tmpdir(), 'pdpp-no-config');

export interface CliResult {
  code: number | null;
  out: string;
  err: string;
}

/** Starts a file of the project, such as src/cli.ts, as a process of its own. */
export function startScript(
  file: string,
  args: readonly string[],
  environment: Record<string, string> = {},
  folder?: string,
): ChildProcessWithoutNullStreams {
  const script = file === CLI ? join(findBuild(), 'bin', 'pdpp') : findChild(file);
  return spawn(process.execPath, [script, ...args], {
    cwd: folder,
    env: { ...shellEnvironment(), ...environment },
  });
}

/** Only what a shell would have: no variable of the test run reaches the process, and nothing of whoever runs it. */
function shellEnvironment(): Record<string, string> {
  const path = [join(findBuild(), 'bin'), process.env.PATH ?? ''].join(delimiter);
  return { PATH: path, HOME: process.env.HOME ?? '', XDG_CONFIG_HOME: NOWHERE, TZ: 'UTC' };
}

export function startCli(args: readonly string[], environment: Record<string, string> = {}, folder?: string) {
  return startScript(CLI, args, environment, folder);
}

/** Runs the command line to its end. */
export async function runCli(
  args: readonly string[],
  options: { input?: string | Uint8Array; environment?: Record<string, string>; folder?: string } = {},
): Promise<CliResult> {
  const child = startCli(args, options.environment, options.folder);
  child.stdin.on('error', () => {}); // A command that refuses before reading closes its input.
  child.stdin.end(options.input ?? '');
  return waitForEnd(child);
}

/** Runs something for each item, three at a time: starting a process is most of the work. */
export async function runForEach<Item>(items: readonly Item[], run: (item: Item) => Promise<unknown>) {
  const left = [...items];
  const work = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await run(item);
  };
  await Promise.all([work(), work(), work()]);
}

/** Runs a line of bash that finds `pdpp` where the shell looks for programs. */
export function runShell(
  line: string,
  environment: Record<string, string> = {},
  folder?: string,
): Promise<CliResult> {
  const child = spawn('bash', ['-c', line], {
    cwd: folder,
    env: { ...shellEnvironment(), ...environment },
  });
  child.stdin.end();
  return waitForEnd(child);
}

export function waitForEnd(child: ChildProcessWithoutNullStreams): Promise<CliResult> {
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })));
}

/** Waits until the process has printed something that matches. */
export function waitForText(child: ChildProcessWithoutNullStreams, pattern: RegExp): Promise<string> {
  let text = '';
  return new Promise((resolve, reject) => {
    const look = (chunk: Buffer) => {
      text += chunk.toString();
      if (pattern.test(text)) resolve(text);
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    child.on('close', (code) => reject(new Error(`ended with ${code} after printing: ${text}`)));
  });
}

/** A port that was free a moment ago. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
