import { beforeAll, describe, expect, it } from 'vitest';
import { DEMO_DAY } from '../../bench/demo-end.ts';
import { listenOnLoopback } from '../../src/client/loopback-listener.ts';
import { askAccess } from './ask-access.ts';
import { checkPage, sizes } from './check-page.ts';
import { PASSPHRASE, setPassphrase } from './owner-page.ts';
import { useBrowser } from './use-browser.ts';

const { server, browser } = await useBrowser();
let page = await (await browser.newContext()).newPage();
let grantId: string;

const FINE = { overflows: false };

beforeAll(async () => {
  expect((await server.cli('demo', '--until', DEMO_DAY)).code).toBe(0);
}, 600_000);

const open = (path: string) => page.goto(new URL(path, server.origin).href);

/** Asks for access as an app does, and is left on the consent page. */
async function askForAccess(): Promise<void> {
  const app = {
    name: 'Finance Helper',
    redirectUri: 'http://127.0.0.1:9/callback',
    verifier: 'not redeemed',
  };
  await page.goto((await askAccess(server.origin, app)).startUrl);
}

describe('axe finds no accessibility problems', () => {
  it('on the landing page and on /mcp, which work without script', async () => {
    await open('/');
    expect(await checkPage(page, 'axe-landing')).toEqual(FINE);
    await page.click('summary');
    expect(await checkPage(page, 'axe-landing-open')).toEqual(FINE);
    await open('/mcp');
    expect(await checkPage(page, 'axe-endpoint')).toEqual(FINE);
    const context = await browser.newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto(server.origin);
    await plain.click('a:text-is("Sign in")');
    await plain.waitForURL('**/login?return_to=*');
    await context.close();
  });

  it('on the setup and sign-in pages', async () => {
    await page.goto(server.setupLink);
    expect(await checkPage(page, 'axe-set-up')).toEqual(FINE);
    await page.fill('#passphrase', PASSPHRASE);
    await page.fill('#again', 'four words somebody guesses');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[role=alert]');
    expect(await checkPage(page, 'axe-set-up-wrong')).toEqual(FINE);
    await setPassphrase(page);
    const stranger = await browser.newContext();
    const owners = page;
    page = await stranger.newPage();
    try {
      await open('/login');
      expect(await checkPage(page, 'axe-sign-in')).toEqual(FINE);
      await page.fill('#passphrase', 'not the one');
      await page.keyboard.press('Enter');
      await page.waitForSelector('[role=alert]');
      expect(await checkPage(page, 'axe-sign-in-wrong')).toEqual(FINE);
      await page.goto(server.setupLink);
      expect(await checkPage(page, 'axe-used-link')).toEqual(FINE);
    } finally {
      await stranger.close();
      page = owners;
    }
  });

  it('on the consent page, collapsed and expanded', async () => {
    await askForAccess();
    expect(await checkPage(page, 'axe-consent')).toEqual(FINE);
    await page.evaluate(
      `for (const fold of document.querySelectorAll('.offered-connection:first-of-type details')) fold.open = true`,
    );
    expect(await checkPage(page, 'axe-consent-open')).toEqual(FINE);
    await page.click('button[value=approve]');
    await page.waitForSelector('[role=alert]');
    expect(await checkPage(page, 'axe-consent-wrong')).toEqual(FINE);
  });

  it('on the consent page of a verified app, collapsed and expanded', async () => {
    const redirect = 'http://localhost:4999/callback';
    const asked = { response_type: 'code', code_challenge_method: 'S256', code_challenge: 'c'.repeat(43) };
    const client_id = 'https://claude.ai/oauth/claude-code-client-metadata';
    const query = { ...asked, client_id, redirect_uri: redirect, resource: `${server.origin}/mcp` };
    await open(`/oauth/authorize?${new URLSearchParams(query)}`);
    expect(await page.textContent('main')).toContain('verified: claude.ai');
    expect(await checkPage(page, 'axe-consent-published')).toEqual(FINE);
    await page.evaluate(`for (const fold of document.querySelectorAll('details')) fold.open = true`);
    expect(await checkPage(page, 'axe-consent-published-open')).toEqual(FINE);
    // No name that only programs use, and no time as programs write it.
    const names = await page.locator('.offered :is(summary, .choices label, dt)').allTextContents();
    expect(names.filter((name) => /[a-z]_[a-z]/.test(name))).toEqual([]);
    const values = await page.locator('.offered dd').allTextContents();
    expect([values.length > 50, values.filter((value) => /\d-\d\dT\d\d:/.test(value))]).toEqual([true, []]);
  });

  it('on the page after approving the command line', async () => {
    const listener = await listenOnLoopback();
    try {
      void listener.waitFor('s', server.origin);
      await page.goto(`${listener.redirectUrl}?code=c&state=s`);
      expect(await checkPage(page, 'axe-connected')).toEqual(FINE);
    } finally {
      listener.close();
    }
  });

  it.each([
    ['home', '/dashboard'],
    ['connect', '/dashboard/connect'],
    ['connect-recipes', '/dashboard/connect#chatgpt'],
    ['apps', '/dashboard/apps'],
    ['app', '/dashboard/apps/{grant}'],
    ['activity', '/dashboard/activity'],
    ['data', '/dashboard/data'],
    ['data-as-app', '/dashboard/data?as={grant}'],
    ['month', '/dashboard/data?month=2026-03'],
    ['search', '/dashboard/data?q=coffee'],
    ['search-nothing', '/dashboard/data?q=qqqqqq'],
    ['records', '/dashboard/data/nordbank_nora/transactions'],
    ['records-filtered', '/dashboard/data/nordbank_nora/transactions?is:category=groceries&sort=-amount'],
    ['records-as-app', '/dashboard/data/nordbank_nora/transactions?as={grant}'],
    ['mails', '/dashboard/data/gmail_nora/messages'],
    ['days', '/dashboard/data/health_nora/samples'],
    ['connection', '/dashboard/connections/nordbank_nora'],
    ['formats', '/dashboard/data/formats'],
    ['find', '/dashboard/find?q=bank'],
    ['settings', '/dashboard/settings'],
    ['device', '/oauth/device'],
    ['record', '/r/nordbank_nora/accounts/80bc78bb7ec8343e'],
    ['message', '/dashboard/apps/nobody'],
    ['no-record', '/r/nordbank_nora/accounts/nothing'],
    ['nowhere', '/nowhere'],
    ['no-such-client', '/oauth/authorize?client_id=nobody&response_type=code'],
  ])('on the page %s', async (name, path) => {
    grantId ??= await readALittle();
    await open(path.replace('{grant}', grantId));
    expect(await checkPage(page, `axe-${name}`)).toEqual(FINE);
  });

  it.each([
    ['a row', '/dashboard/data/nordbank_nora/transactions'],
    ['a mail', '/dashboard/data/gmail_nora/messages'],
    ['a thread', '/dashboard/data/gmail_nora/threads'],
    ['a talk', '/dashboard/data/chatgpt_nora/conversations'],
    ['an appointment', '/dashboard/data/calendar_nora/events'],
  ])('on the record of %s', async (name, list) => {
    await open(list);
    await page.click('main tbody th a >> nth=0');
    await page.waitForURL('**/r/**');
    // With all that is folded on it.
    await page.evaluate(`for (const fold of document.querySelectorAll('details')) fold.open = true`);
    expect(await checkPage(page, `axe-record-${name.replaceAll(' ', '-')}`)).toEqual(FINE);
  });
});

describe('tap and click targets', () => {
  beforeAll(signInOnce);

  it('are large enough for selecting a whole connection', async () => {
    await page.setViewportSize(sizes.phone);
    await askForAccess();
    const label = page.locator('label:has(input[data-toggle-all]) >> nth=0');
    const box = await label.boundingBox();
    expect([(box?.width ?? 0) >= 40, (box?.height ?? 0) >= 40]).toEqual([true, true]);
    await label.click({ position: { x: 4, y: 4 } });
    expect(await page.isChecked('input[data-toggle-all] >> nth=0')).toBe(true);
  });

  it('include the bar and the name of a chart row', async () => {
    await page.setViewportSize(sizes.phone);
    await open('/dashboard');
    const row = page.locator('.lengths tr >> nth=0');
    expect((await row.boundingBox())?.height).toBeGreaterThanOrEqual(40);
    // What lies over it takes the click.
    await row.locator('rect').click({ force: true });
    await page.waitForURL('**/dashboard/connections/*');
  });

  it('include the whole list entry on a phone', async () => {
    await page.setViewportSize(sizes.phone);
    await open('/dashboard/data/nordbank_nora/transactions');
    await page.locator('td.trailing-value >> nth=0').click({ force: true });
    await page.waitForURL('**/r/nordbank_nora/transactions/*');
  });
});

describe('a list on a phone', () => {
  beforeAll(signInOnce);

  it.each([
    '/dashboard/activity',
    '/dashboard/apps',
    '/dashboard/data',
    '/dashboard/data?month=2026-03',
    '/dashboard/data/nordbank_nora/transactions',
    '/dashboard/data/gmail_nora/messages',
    '/dashboard/data/calendar_nora/events',
    '/dashboard/data/nordbank_nora/transactions?is:category=groceries&sort=-amount',
    '/dashboard/data?q=coffee',
    '/dashboard/data?q=Valencia',
    '/dashboard/data?q=hello',
    '/dashboard/data/gmail_nora/messages?q=hello',
    '/dashboard/data/formats',
  ])('is at most three screens long: %s', async (path) => {
    grantId ??= await readALittle();
    await page.setViewportSize(sizes.phone);
    await open(path);
    const height = (await page.evaluate('document.documentElement.scrollHeight')) as number;
    expect(new URL(page.url()).pathname).toBe(path.split('?')[0]);
    if (path.includes('q=')) expect(await page.locator('.hits li').count()).toBeGreaterThan(3);
    expect(height).toBeLessThanOrEqual(3 * sizes.phone.height);
  });
});

/** Alone, the tests of a group are the first to use the link. */
async function signInOnce(): Promise<void> {
  await page.goto(server.setupLink);
  if ((await page.locator('#again').count()) > 0) await setPassphrase(page);
}

/** An app that reads more than a page of activity shows, sometimes wrongly. */
async function readALittle(): Promise<string> {
  const made = await server.cli(
    'grant',
    'create',
    '--client',
    'Finance Helper',
    '--allow',
    'nordbank_nora',
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
