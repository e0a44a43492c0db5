import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../support/temp-folder.ts';
import { checkPage } from './check-page.ts';
import { listComplaints, PASSPHRASE } from './owner-page.ts';
import { useBrowser } from './use-browser.ts';

const { server, browser } = await useBrowser();
const page = await browser.newPage();
const complaints: string[] = [];

/** Drops files on whatever a selector finds, as a mouse does. */
async function dropOn(selector: string, files: readonly (readonly [name: string, text: string])[]) {
  const transfer = await page.evaluateHandle(
    `(() => { const data = new DataTransfer(); for (const [name, text] of ${JSON.stringify(files)}) data.items.add(new File([text], name)); return data; })()`,
  );
  await page.dispatchEvent(selector, 'dragover', { dataTransfer: transfer });
  await page.dispatchEvent(selector, 'drop', { dataTransfer: transfer });
}

const table = (n: number): readonly [string, string] => [
  `list-${n}.csv`,
  `title,seen_on,place\nWalk ${n},2026-01-0${(n % 9) + 1},Pier\nSwim ${n},2025-05-02,Pier\nRun ${n},2024-03-04,Park\n`,
];

/** Each step goes on from the one before. */
describe('the first hour', () => {
  it('refuses a weak passphrase', async () => {
    await page.goto(server.setupLink);
    await page.fill('#passphrase', 'password12');
    await page.fill('#again', 'password12');
    await page.click('text=Show passphrase');
    expect(await page.getAttribute('#passphrase', 'type')).toBe('text');
    expect(await page.getAttribute('[data-show]', 'aria-pressed')).toBe('true');
    expect(await checkPage(page, 'set-up-shown')).toEqual({ overflows: false });
    await page.click('text=Set passphrase and sign in');
    await page.waitForSelector('text=too easy to guess');
    expect(await page.getAttribute('#passphrase', 'type')).toBe('password');
    await page.fill('#passphrase', PASSPHRASE);
    await page.fill('#again', PASSPHRASE);
    await page.click('text=Set passphrase and sign in');
    await page.waitForURL('**/dashboard');
    // The refusal above is one that browsers complain of, too.
    listComplaints(page, complaints);
  });

  it('accepts files dropped anywhere on the page, and never navigates to them', async () => {
    await page.goto(`${server.origin}/dashboard/settings`);
    await dropOn('h1', [table(1)]);
    expect(page.url()).toBe(`${server.origin}/dashboard/settings`);
    await page.goto(`${server.origin}/dashboard/data`);
    await dropOn('h1', [table(1)]);
    await page.waitForURL('**/dashboard/imports/new/*');
    await page.waitForSelector('text=Review your import');
    expect(await page.locator('.preview li').allInnerTexts()).toContain('2 Jan 2026: Walk 1');
    await page.click('text=Discard');
  });

  it('lists ten files compactly with dates, samples and the import button in view', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`${server.origin}/dashboard/data`);
    await dropOn(
      'main',
      Array.from({ length: 10 }, (_, i) => table(i)),
    );
    await page.waitForURL('**/dashboard/imports/new/*');
    await page.waitForSelector('text=Review your import');
    expect(await page.locator('section.export').count()).toBe(10);
    const height = await page.evaluate('document.documentElement.scrollHeight');
    expect(height).toBeLessThan(2_600);
    const add = page.locator('button:text-is("Import selected")');
    expect((await add.boundingBox())?.y).toBeLessThan(900);
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    expect((await add.boundingBox())?.y).toBeLessThan(900);
    const [text] = await page.locator('section.export').allInnerTexts();
    expect(text).toMatch(/3 new records · 4 Mar 2024 – \d Jan 2026/);
    expect(text).toMatch(/Walk \d · Swim \d · Run \d/);
    expect(await checkPage(page, 'import-ten')).toEqual({ overflows: false });
    await page.click('text=Discard');
  });

  it('shows why an unsupported file was not read', async () => {
    await page.goto(`${server.origin}/dashboard/data`);
    await dropOn('main', [['rubbish.bin', '\u0000\u0001\u0002 nothing \u0003']]);
    await page.waitForURL('**/dashboard/imports/new/*');
    await page.waitForSelector('text=No readable data found');
    const reason = page.locator('li:has-text("rubbish.bin")');
    expect(await reason.isVisible()).toBe(true);
    expect(await reason.allInnerTexts()).toEqual([expect.stringMatching(/^rubbish\.bin .+$/)]);
  });

  it('accepts a folder', async () => {
    const folder = join(makeFolder(), 'exports');
    mkdirSync(folder);
    for (const [name, text] of [table(1), table(2)]) writeFileSync(join(folder, name), text);
    await page.goto(`${server.origin}/dashboard/data`);
    await page.setInputFiles('#folder', folder);
    await page.waitForURL('**/dashboard/imports/new/*');
    await page.waitForSelector('text=Review your import');
    expect(await page.textContent('main')).toContain('exports/list-1.csv');
    expect(complaints).toEqual([]);
  });
});
