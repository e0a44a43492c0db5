import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { makeFakeBrowser } from '../../support/processes/fake-browser.ts';
import { PASSPHRASE } from './live-server.ts';

export interface Finished {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly environment?: Record<string, string>;
  /** Some clients only sign in where they see a terminal. */
  readonly terminal?: boolean;
  readonly timeoutMs?: number;
}

export interface Turn {
  readonly after: RegExp | (() => boolean);
  readonly type?: string;
}

/** A person's computer: an empty home folder, a browser that the person sits at, and one client installed. */
export interface Desk {
  readonly home: string;
  readonly environment: Record<string, string>;
  run(command: string, args: readonly string[], options?: RunOptions): Promise<Finished>;
  /** Works in a full-screen program: waits for each text to appear, types, and ends it after the last one. */
  converse(command: string, turns: readonly Turn[], options?: RunOptions): Promise<string>;
  start(command: string, args: readonly string[], environment?: Record<string, string>): ChildProcess;
  write(path: string, content: unknown): void;
  /** What the browser was asked to open, and what became of it. */
  readBrowser(): string[];
  /** From now on the person denies what is asked. */
  refuse(): void;
  clear(): void;
}

const TIMEOUT_MS = 60_000;

export function createDesk(bin: string | undefined): Desk {
  const folder = mkdtempSync(join(tmpdir(), 'pdpp-desk-'));
  const home = join(folder, 'home');
  const programs = join(folder, 'bin');
  for (const path of [home, programs]) mkdirSync(path);
  const browser = join(programs, 'xdg-open');
  const { readLog, refuse } = makeFakeBrowser(browser, PASSPHRASE);
  const environment = {
    // The browser first: what a client runs by name must not be the one of this computer.
    PATH: [programs, bin, process.env.PATH].filter(Boolean).join(':'),
    HOME: home,
    BROWSER: browser,
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    NO_COLOR: '1',
  };

  const start = (command: string, args: readonly string[], more: Record<string, string> = {}) =>
    spawn(command, args, { cwd: home, env: { ...environment, ...more }, detached: true });
  return {
    home,
    environment,
    start,
    async run(command, args, { environment: more, terminal, timeoutMs = TIMEOUT_MS } = {}) {
      const line = [command, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
      const child = terminal
        ? start('script', ['-qfec', line, '/dev/null'], more)
        : start(command, args, more);
      return finish(child, timeoutMs);
    },
    async converse(command, turns, { environment: more, timeoutMs = TIMEOUT_MS } = {}) {
      const child = start('script', ['-qfec', `stty cols 120 rows 40; ${command}`, '/dev/null'], more);
      let screen = '';
      let seen = 0;
      child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        screen += stripVTControlCharacters(text);
      });
      const end = Date.now() + timeoutMs;
      try {
        for (const { after, type } of turns) {
          const isDue = () => (after instanceof RegExp ? after.test(screen.slice(seen)) : after());
          while (!isDue()) {
            if (Date.now() > end) throw new Error(`${after} did not appear in: ${screen.slice(-2_000)}`);
            await sleep(100);
          }
          seen = screen.length;
          for (const key of type === undefined ? [] : [type, '\r']) {
            // Full-screen programs take what comes at once for a pasted text, and Enter for a part of it.
            await sleep(1_000);
            child.stdin?.write(key);
          }
        }
        return screen;
      } finally {
        endGroup(child);
      }
    },
    write(path, content) {
      const file = join(home, path);
      mkdirSync(join(file, '..'), { recursive: true });
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    },
    readBrowser: readLog,
    refuse,
    clear: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

function finish(child: ChildProcess, timeoutMs: number): Promise<Finished> {
  let out = '';
  let err = '';
  child.stdin?.end();
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  return new Promise((resolve) => {
    const timer = setTimeout(() => endGroup(child), timeoutMs);
    child.on('error', (error) => {
      err += error.message;
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, out, err });
    });
  });
}

/** Ends a program with whatever it has started; it leads a group of its own. */
export function endGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It had ended already.
  }
}
