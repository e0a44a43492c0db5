import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_DAY } from '../../bench/demo-end.ts';
import { startChromium } from '../support/chromium.ts';
import { type RunningServer, startServer } from './running-server.ts';
import { takeScreenshots } from './screenshots.ts';

const PASSPHRASE = 'four words nobody guesses';
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PHONE = { width: 390, height: 844 };
const looks = [
  { size: { width: 1280, height: 900 }, colorScheme: 'light' },
  { size: { width: 1280, height: 900 }, colorScheme: 'dark' },
  { size: PHONE, colorScheme: 'light' },
  { size: PHONE, colorScheme: 'dark' },
] as const;

let server: RunningServer;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let grantId: string;

beforeAll(async () => {
  [browser, server] = await Promise.all([startChromium(), startServer()]);
  expect((await server.cli('demo', '--records', '3000', '--until', DEMO_DAY)).code).toBe(0);
  context = await browser.newContext();
  page = await context.newPage();
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

/** What axe finds on the page as it stands, in both sizes and themes: rule and place, each once. */
async function listFaults(): Promise<string[]> {
  const faults = new Set<string>();
  for (const { size, colorScheme } of looks) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // Given through the debugger, so the policy of the page, which allows no such script, stays as it is.
    await page.evaluate(AXE);
    const found = (await page.evaluate('axe.run(document)')) as {
      violations: { id: string; nodes: { target: string[] }[] }[];
    };
    for (const { id, nodes } of found.violations)
      for (const { target } of nodes) faults.add(`${id}: ${target.join(' ')}`);
  }
  return [...faults];
}

const open = (path: string) => page.goto(new URL(path, server.origin).href);

/** Asks for access as an app does, and is left on the consent page. */
async function askForAccess(): Promise<void> {
  const redirect_uri = 'http://127.0.0.1:9/callback';
  const registered = await fetch(`${server.origin}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Finance Helper', redirect_uris: [redirect_uri] }),
  });
  const { client_id } = (await registered.json()) as { client_id: string };
  const query = new URLSearchParams({
    client_id,
    redirect_uri,
    response_type: 'code',
    code_challenge: createHash('sha256').update(randomBytes(32)).digest('base64url'),
    code_challenge_method: 'S256',
  });
  await open(`/oauth/authorize?${query}`);
}

describe('axe finds nothing', () => {
  it('where a passphrase is set and where the owner signs in', async () => {
    await page.goto(server.setupLink);
    expect(await listFaults()).toEqual([]);
    await page.fill('#passphrase', PASSPHRASE);
    await page.fill('#again', PASSPHRASE);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard');
    const stranger = await browser.newContext();
    const owners = page;
    page = await stranger.newPage();
    try {
      await open('/login');
      expect(await listFaults()).toEqual([]);
      await page.goto(server.setupLink);
      expect(await listFaults()).toEqual([]);
    } finally {
      await stranger.close();
      page = owners;
    }
  });

  it('on the consent page', async () => {
    await askForAccess();
    expect(await listFaults()).toEqual([]);
  });

  it.each([
    ['home', '/dashboard'],
    ['connect', '/dashboard/connect'],
    ['apps', '/dashboard/apps'],
    ['app', '/dashboard/apps/{grant}'],
    ['activity', '/dashboard/activity'],
    ['data', '/dashboard/data'],
    ['records', '/dashboard/data/bank_checking/transactions'],
    ['connection', '/dashboard/connections/bank_checking'],
    ['formats', '/dashboard/data/formats'],
    ['record', '/r/bank_checking/accounts/acc_card'],
    ['message', '/dashboard/apps/nobody'],
  ])('on the page %s', async (name, path) => {
    grantId ??= await readALittle();
    await open(path.replace('{grant}', grantId));
    expect(await listFaults()).toEqual([]);
    expect(await takeScreenshots(page, `axe-${name}`)).toEqual({ sticksOut: false });
  });
});

describe('a list on a phone', () => {
  it.each(['/dashboard/activity', '/dashboard/apps'])('is at most three screens long: %s', async (path) => {
    grantId ??= await readALittle();
    await page.setViewportSize(PHONE);
    await open(path);
    const height = (await page.evaluate('document.documentElement.scrollHeight')) as number;
    expect(height).toBeLessThanOrEqual(3 * PHONE.height);
  });
});

/** An app that reads more than a page of activity shows, sometimes wrongly. */
async function readALittle(): Promise<string> {
  const made = await server.cli(
    'grant',
    'create',
    '--client',
    'Finance Helper',
    '--allow',
    'bank_checking',
    '--json',
  );
  const { grant_id, token } = JSON.parse(made.out) as { grant_id: string; token: string };
  const read = (path: string) =>
    fetch(`${server.origin}/v1/${path}`, { headers: { authorization: `Bearer ${token}` } });
  await read('streams/transactions/aggregate?metric=sum&field=amount&group_by=category');
  await read('streams/nothing/records');
  await read('streams/transactions/records?limit=no');
  for (let count = 0; count < 30; count += 1) await read('streams/transactions/records?limit=5');
  return grant_id;
}
