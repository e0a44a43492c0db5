import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { MINUTE_MS } from '../time/durations.ts';
import { ClientError } from './client-error.ts';
import type { LoopbackListener } from './loopback-listener.ts';

const APPROVAL_TIMEOUT_MS = 5 * MINUTE_MS;

/** The ways to reach the owner. */
export interface OwnerContact {
  /** The command that opens a browser: empty for the system's default, undefined if none can be opened. */
  readonly browser: readonly string[] | undefined;
  readonly input: Readable;
  print(text: string): void;
}

/** Shows the owner the approval page, and waits for the redirect or for its pasted address. */
export async function askOwner(
  page: URL,
  state: string,
  listener: LoopbackListener,
  { browser, input, print }: OwnerContact,
): Promise<URLSearchParams> {
  const timeout = new AbortController();
  const redirected = listener.waitFor(state, page.origin);
  const opened =
    browser !== undefined && (await openBrowser(page, browser.length === 0 ? undefined : browser));
  print(opened ? 'Approve in the browser. If it does not open, go to:' : 'Open this page and approve:');
  print(`\n  ${page.href}\n`);
  if (!opened) print('If the browser is on another computer, paste the address of its last page here:');
  const pasted = opened ? undefined : readPastedAnswer(input, state, print);
  try {
    return await Promise.race([
      redirected,
      ...(pasted === undefined ? [] : [pasted.answer]),
      wait(APPROVAL_TIMEOUT_MS, undefined, { signal: timeout.signal }).then(() => {
        throw new ClientError('sign_in_refused', 'Access was not approved within five minutes.');
      }),
    ]);
  } finally {
    timeout.abort();
    pasted?.stop();
  }
}

/** Opens a page without a shell, so that the address cannot contain a command. Returns whether a program started. */
function openBrowser(page: URL, command: readonly string[] = systemCommand()): Promise<boolean> {
  if (!/^https?:$/.test(page.protocol)) throw new Error('not a web page');
  const [program, ...options] = command as [string, ...string[]];
  const filled = options.map((option) => option.replaceAll('%s', page.href));
  const started = spawn(program, options.includes('%s') ? filled : [...options, page.href], {
    stdio: 'ignore',
    detached: true,
  });
  return new Promise((resolve) => {
    started.once('error', () => resolve(false));
    started.once('spawn', () => {
      started.unref();
      resolve(true);
    });
  });
}

function systemCommand(): string[] {
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return ['xdg-open'];
}

interface PastedAnswer {
  readonly answer: Promise<URLSearchParams>;
  stop(): void;
}

/**
 * Reads the address that a browser on another computer was redirected to. The browser cannot show that page, but the
 * address contains the answer. Other lines are rejected; the end of the input is ignored.
 */
function readPastedAnswer(input: Readable, state: string, print: (text: string) => void): PastedAnswer {
  const lines = createInterface({ input });
  const answer = new Promise<URLSearchParams>((resolve) => {
    lines.on('line', (line) => {
      if (line.trim() === '') return;
      const parameters = readParameters(line.trim());
      if (parameters.get('state') === state) resolve(parameters);
      else print('That is not the address of the last page. Paste the whole address:');
    });
  });
  return {
    answer,
    stop() {
      lines.close();
      input.pause();
    },
  };
}

function readParameters(text: string): URLSearchParams {
  return URL.canParse(text) ? new URL(text).searchParams : new URLSearchParams(text);
}
