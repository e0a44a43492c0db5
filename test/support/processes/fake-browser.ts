import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createBrowser } from '../browser.ts';
import { findChild } from './build.ts';

/**
 * Opens an authorization URL as the owner's browser would: signs in and decides where the server asks for it, giving
 * what is not sensitive. Returns the address at which the program that asked waits for the answer.
 */
export async function decide(url: string, passphrase: string, decision: 'approve' | 'deny'): Promise<string> {
  const { origin } = new URL(url);
  const browser = createBrowser((path, init) => fetch(`${origin}${path}`, init), origin);
  let page = await browser.open(url);
  if (page.url.startsWith(`${origin}/login`)) page = await browser.submit(page, { passphrase });
  const isConsent = page.url.startsWith(`${origin}/oauth/consent/`);
  // Only a server that has no owner answers without asking one.
  if (!isConsent && passphrase !== '') throw new Error(`no consent page: ${page.text}`);
  if (isConsent && decision === 'approve') page = await browser.submit(page, { preset: 'ordinary' });
  if (isConsent) page = await browser.submit(page, { decision });
  if (page.url.startsWith(`${origin}/`)) throw new Error(`no answer: ${page.status} ${page.text}`);
  return page.url;
}

export interface FakeBrowser {
  /** What the browser was asked to open, and what became of it. */
  readLog(): string[];
  /** From now on the person denies what is asked. */
  refuse(): void;
}

/** A program that stands for a browser at which a person sits who approves. Its path is what $BROWSER holds. */
export function makeFakeBrowser(program: string, passphrase = ''): FakeBrowser {
  const [log, deny] = ['browser.log', 'deny'].map((name) => join(dirname(program), name)) as [string, string];
  const script = findChild('test/support/processes/fake-browser-child.ts');
  const words = [process.execPath, script, passphrase, log, deny];
  const command = words.map((word) => `'${word}'`).join(' ');
  // In the background, because some clients wait until the program they have started ends.
  writeFileSync(program, `#!/bin/sh\nfor url; do :; done\n${command} "$url" </dev/null >/dev/null 2>&1 &\n`);
  chmodSync(program, 0o755);
  return {
    readLog: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []),
    refuse: () => writeFileSync(deny, ''),
  };
}
