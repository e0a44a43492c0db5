import { appendFileSync, existsSync } from 'node:fs';
import { decide } from './fake-browser.ts';

/** The program of the fake browser: fake-browser-child PASSPHRASE LOG DENY URL, where DENY is a file that says no. */
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
