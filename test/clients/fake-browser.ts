import { appendFileSync, existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { createBrowser } from '../support/browser.ts';

/**
 * Opens an authorization URL as the owner's browser would: signs in and decides, leaving everything else on
 * the page as it is. Returns the address at which the program that asked waits for the answer.
 */
export async function decide(url: string, passphrase: string, decision: 'approve' | 'deny'): Promise<string> {
  const { origin } = new URL(url);
  const browser = createBrowser((path, init) => fetch(`${origin}${path}`, init), origin);
  let page = await browser.open(url);
  if (page.url.startsWith(`${origin}/login`)) page = await browser.submit(page, { passphrase });
  if (!page.url.startsWith(`${origin}/oauth/consent/`)) throw new Error(`no consent page: ${page.text}`);
  const done = await browser.submit(page, { decision });
  if (done.url.startsWith(origin)) throw new Error(`no answer: ${done.status} ${done.text}`);
  return done.url;
}

/** Run as `$BROWSER` or `xdg-open`: fake-browser.ts PASSPHRASE LOG DENY URL, where DENY is a file that says no. */
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [passphrase = '', log = '', deny = '', url = ''] = process.argv.slice(2);
  const note = (text: string) => appendFileSync(log, `${text}\n`);
  note(`asked ${url}`);
  try {
    const decision = existsSync(deny) ? 'deny' : 'approve';
    const back = new URL(await decide(url, passphrase, decision));
    const answer = await fetch(back);
    note(`${decision} ${back.origin}${back.pathname} ${answer.status}`);
    await answer.text();
  } catch (error) {
    note(`failed ${error instanceof Error ? error.message : error}`);
  }
}
