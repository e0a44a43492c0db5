import { beforeAll, describe, expect, it } from 'vitest';
import { DEMO_DAY } from '../../bench/demo-end.ts';
import { checkPage, sizes } from './check-page.ts';
import { setPassphrase } from './owner-page.ts';
import { useBrowser } from './use-browser.ts';

const { server, browser } = await useBrowser();
const context = await browser.newContext();
const page = await context.newPage();
const FINE = { overflows: false };
const LIST = 'header .found';

beforeAll(async () => {
  expect((await server.cli('demo', '--until', DEMO_DAY)).code).toBe(0);
  await page.goto(server.setupLink);
  await setPassphrase(page);
}, 600_000);

const open = (path: string) => page.goto(new URL(path, server.origin).href);
const focused = () =>
  page.evaluate('document.activeElement.getAttribute("href") ?? document.activeElement.id');

describe('quick find', () => {
  it('opens with the slash key and moves with the arrow keys', async () => {
    await open('/dashboard');
    await page.keyboard.press('/');
    expect(await focused()).toBe('find');
    await page.keyboard.type('slak');
    await page.waitForSelector(`${LIST} a`);
    expect(await page.textContent(LIST)).toContain('Slack');
    expect(await checkPage(page, 'find-open')).toEqual(FINE);
    const first = await page.getAttribute(`${LIST} li:first-child a`, 'href');
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe(first);
    await page.keyboard.press('ArrowUp');
    expect(await focused()).toBe('find');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${first}`);
  });

  it('opens the first result with Enter and closes with Escape', async () => {
    await open('/dashboard');
    await page.keyboard.press('/');
    await page.keyboard.type('whatsapp');
    await page.waitForSelector(`${LIST} a`);
    await page.keyboard.press('Escape');
    expect(await page.isVisible(LIST)).toBe(false);
    await page.fill('#find', 'settings');
    await page.waitForSelector(`${LIST} a[href="/dashboard/settings"]`);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard/settings');
  });

  it('does not open an outdated result', async () => {
    await open('/dashboard');
    await page.fill('#find', 'whatsapp');
    await page.waitForSelector(`${LIST} a`);
    await page.fill('#find', 'settings');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard/find?q=settings');
  });

  it('ignores a slash typed in another field', async () => {
    await open('/dashboard/data');
    await page.focus('main input[name=q]');
    await page.keyboard.type('a/b');
    expect(await page.inputValue('main input[name=q]')).toBe('a/b');
  });

  it('works on a phone', async () => {
    await page.setViewportSize(sizes.phone);
    await open('/dashboard');
    await page.fill('#find', 'bank');
    await page.waitForSelector(`${LIST} a`);
    await page.click(`${LIST} li:first-child a`);
    await page.waitForURL('**/dashboard/**');
    await page.setViewportSize(sizes.desktop);
  });

  it('shows a results page without script', async () => {
    const plain = await browser.newContext({
      javaScriptEnabled: false,
      storageState: await context.storageState(),
    });
    const tab = await plain.newPage();
    await tab.goto(new URL('/dashboard', server.origin).href);
    await tab.fill('#find', 'transactions');
    await tab.press('#find', 'Enter');
    await tab.waitForURL('**/dashboard/find?q=transactions');
    expect(await tab.textContent('#found')).toContain('Transactions');
    expect(await checkPage(tab, 'find-plain', 'no script')).toEqual(FINE);
    await plain.close();
  });

  it('offers a record search when nothing matches', async () => {
    await open('/dashboard/find?q=qzxjvwk');
    expect(await page.textContent('main')).toContain('No matching page, connection, app or format');
    expect(await page.getAttribute('#found a', 'href')).toBe('/dashboard/data?q=qzxjvwk');
    expect(await checkPage(page, 'find-nothing')).toEqual(FINE);
    await open('/dashboard/find');
    expect(await checkPage(page, 'find-empty')).toEqual(FINE);
  });
});
