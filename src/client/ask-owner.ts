import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { MINUTE_MS } from '../time/durations.ts';
import { ClientError } from './client-error.ts';
import type { LoopbackListener } from './loopback-listener.ts';

const PATIENCE_MS = 5 * MINUTE_MS;

/** How the owner is reached from here. */
export interface OwnerContact {
  /** Undefined where no browser can be opened; empty for the system's own. */
  readonly browser: readonly string[] | undefined;
  readonly input: Readable;
  say(text: string): void;
}

/** Shows the owner the page to approve on, and waits for the answer to come back or to be pasted. */
export async function askOwner(
  page: URL,
  state: string,
  listener: LoopbackListener,
  { browser, input, say }: OwnerContact,
): Promise<URLSearchParams> {
  const over = new AbortController();
  const comesBack = listener.waitFor(state, page.origin);
  const opened =
    browser !== undefined && (await openBrowser(page, browser.length === 0 ? undefined : browser));
  say(
    opened ? 'Approve in the browser. If it does not open, open this page:' : 'Open this page and approve:',
  );
  say(`\n  ${page.href}\n`);
  if (!opened) say('In a browser on another computer, paste the address of the page it ends on here:');
  const pasted = opened ? undefined : readPastedAnswer(input, state, say);
  try {
    return await Promise.race([
      comesBack,
      ...(pasted === undefined ? [] : [pasted.answer]),
      wait(PATIENCE_MS, undefined, { signal: over.signal }).then(() => {
        throw new ClientError('sign_in_refused', 'Nobody approved within five minutes.');
      }),
    ]);
  } finally {
    over.abort();
    pasted?.stop();
  }
}

/**
 * Opens a page without a shell, so that nothing in the address is ever a command. Says whether a program
 * was started; whether it showed the page, nobody tells.
 */
function openBrowser(page: URL, command: readonly string[] = systemCommand()): Promise<boolean> {
  if (!/^https?:$/.test(page.protocol)) throw new Error('only pages are opened');
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
 * For a browser on another computer: it ends on a page it cannot show, whose address holds the answer.
 * Lines that are not that address are asked for again; the end of the input is not an answer.
 */
function readPastedAnswer(input: Readable, state: string, say: (text: string) => void): PastedAnswer {
  const lines = createInterface({ input });
  const answer = new Promise<URLSearchParams>((resolve) => {
    lines.on('line', (line) => {
      if (line.trim() === '') return;
      const parameters = readParameters(line.trim());
      if (parameters.get('state') === state) resolve(parameters);
      else say('That is not the address of the last page. Paste it whole:');
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
