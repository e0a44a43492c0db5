import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { ClientError } from './client-error.ts';
import type { LoopbackListener } from './loopback-listener.ts';
import { openBrowser } from './open-browser.ts';
import { readPastedAnswer } from './pasted-answer.ts';

const PATIENCE_MS = 5 * 60_000;

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
