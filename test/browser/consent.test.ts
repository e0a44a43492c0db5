import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkPage } from './check-page.ts';
import { LoopbackApp } from './loopback-app.ts';
import { setPassphrase } from './owner-page.ts';
import { press } from './press.ts';
import { useBrowser } from './use-browser.ts';

const PHONE = { width: 390, height: 844 };
const SOON = { timeout: 20_000 };

const { server, browser } = await useBrowser();
let app: LoopbackApp;
let cookies: Awaited<ReturnType<Awaited<ReturnType<Browser['newContext']>>['cookies']>>;

beforeAll(async () => {
  expect((await server.cli('demo')).code).toBe(0);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(server.setupLink);
  await setPassphrase(page);
  cookies = await context.cookies();
  await context.close();
  app = await LoopbackApp.start(server.origin, 'Some app');
}, 600_000);
afterAll(() => app?.close());

/** The consent page in a browser of its own, in which the owner is signed in. */
async function open(options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
  const context = await browser.newContext(options);
  await context.addCookies(cookies);
  const page = await context.newPage();
  await page.goto(app.startUrl);
  return page;
}

const count = (page: Page, selector: string) => page.locator(selector).count();
const summary = async (page: Page) => (await page.textContent('#summary'))?.trim() ?? '';

/** Whether the whole of an element can be seen, and is not behind the bar. */
async function isInView(page: Page, selector: string): Promise<boolean> {
  const [box, bar] = [
    await page.locator(selector).boundingBox(),
    await page.locator('.decide').boundingBox(),
  ];
  const lowest = selector.startsWith('.decide') ? (page.viewportSize()?.height ?? 0) : (bar?.y ?? 0);
  return box !== null && box.y >= 0 && box.y + box.height <= lowest + 1;
}

describe.each([
  ['with script', true],
  ['without script', false],
])('the consent page %s', (_, javaScriptEnabled) => {
  it('shows a validation error at its field and scrolls to it, also on a phone', async () => {
    const page = await open({ javaScriptEnabled, viewport: PHONE });
    await press(page, 'button[value=ordinary]');
    await page.check('input[value=custom]');
    await page.fill('input[name=since]', '2026-02-01');
    await page.fill('input[name=until]', '2026-01-01');
    await press(page, 'button[value=approve]');
    const note = page.locator('fieldset:has(input[name=since]) [role=alert]');
    expect(await note.textContent()).toBe('The first day must not be after the last day.');
    expect(await page.getAttribute('input[name=since]', 'aria-describedby')).toBe(
      await note.getAttribute('id'),
    );
    await expect.poll(() => isInView(page, '#window-problem'), SOON).toBe(true);
    expect(await page.textContent('.decide .wrong')).toContain(
      'The first day must not be after the last day.',
    );
    await page.context().close();
  });

  it('preselects nothing for an unverified app, and shows an error if nothing is selected', async () => {
    const page = await open({ javaScriptEnabled });
    expect(await count(page, 'input[name=stream]:checked')).toBe(0);
    expect(await summary(page)).toMatch(/^Nothing yet; all time; ends \d+ \w+ \d{4}$/);
    await press(page, 'button[value=approve]');
    await expect.poll(() => isInView(page, '#streams-problem'), SOON).toBe(true);
    expect(await page.textContent('#streams-problem')).toContain('Select what the app may read');
    await page.context().close();
  });

  it('applies presets and explains what is not selected', async () => {
    const page = await open({ javaScriptEnabled });
    const all = await count(page, 'input[name=stream]');
    await press(page, 'button[value=everything]');
    expect(await count(page, 'input[name=stream]:checked')).toBe(all);
    expect(await count(page, 'input[name=field]:not(:checked)')).toBe(0);
    await press(page, 'button[value=last_30_days]');
    expect(await page.isChecked('input[name=window][value=last_30_days]')).toBe(true);
    expect(await summary(page)).toContain('; last 30 days; ');
    await press(page, 'button[value=ordinary]');
    const some = await count(page, 'input[name=stream]:checked');
    expect([some > 5, some < all]).toEqual([true, true]);
    const mail = page.locator('fieldset:has(legend:text-is("Gmail"))');
    expect(await mail.locator('summary', { hasText: 'body (free text)' }).count()).toBeGreaterThan(0);
    expect(await page.textContent('.offered')).toContain('sensitive: money');
    expect(await page.isChecked('input[name=window][value=last_30_days]')).toBe(true);
    await press(page, 'button[value=none]');
    expect(await count(page, 'input[name=stream]:checked')).toBe(0);
    await page.context().close();
  });

  it('describes the limits of the selection, and none if everything is selected', async () => {
    const page = await open({ javaScriptEnabled, viewport: PHONE });
    const limits = async () => (await page.textContent('#limits'))?.trim();
    expect(await limits()).toBe('Cannot read anything: nothing is selected.');
    await press(page, 'button[value=ordinary]');
    expect(await limits()).toMatch(/^Cannot read what people wrote, see amounts, see health data/);
    await press(page, 'button[value=everything]');
    expect(await limits()).toBe('Nothing is left out.');
    await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
    await page.locator('input[name=field][value$=".body"]').first().uncheck();
    if (!javaScriptEnabled) await page.click('.decide button.without-script');
    await expect.poll(limits, SOON).toMatch(/^Cannot read what people wrote in /);
    expect(await isInView(page, '.decide #limits')).toBe(true);
    expect(await isInView(page, '.decide button[value=approve]')).toBe(true);
    await page.context().close();
  });

  it('changes the access of a connected app', async () => {
    const page = await open({ javaScriptEnabled, viewport: PHONE });
    const calendar = page.locator('fieldset.offered-connection:has(legend:text-is("Calendar"))');
    await calendar.locator('details > summary').first().click();
    await calendar.locator('input[name=stream]').first().check();
    await page.click('button[value=approve]');
    await page.waitForURL('**/callback?*code=*');
    await page.goto(`${server.origin}/dashboard/apps`);
    await page.locator('tbody tr', { hasText: 'Calendar' }).locator('th a').first().click();
    await page.locator('a:text("Change access")').first().click();
    await page.waitForURL('**/access');
    expect(await count(page, 'input[name=stream]:checked')).toBe(1);
    expect(await page.textContent('#change')).toBe('Nothing changed');
    await press(page, 'button[value=everything]');
    expect(await page.textContent('#change')).toMatch(/^Added /);
    expect(await isInView(page, '.decide button[value=approve]')).toBe(true);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
    if (javaScriptEnabled) expect(await checkPage(page, 'access')).toEqual({ overflows: false });
    await page.focus('input[name=since]');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/access**');
    await page.locator('button[value=approve]').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**?done=access');
    expect(await page.textContent('[role=status]')).toContain('Access updated');
    await page.context().close();
  });

  it('keeps the buttons in view while scrolling, on a desktop and on a phone', async () => {
    const page = await open({ javaScriptEnabled });
    for (const viewport of [PHONE, { width: 1280, height: 800 }]) {
      await page.setViewportSize(viewport);
      for (const place of ['h1', '#choose', '.offered > :nth-last-child(3)', '#expires']) {
        await page.locator(place).scrollIntoViewIfNeeded();
        expect([place, await isInView(page, '.decide #summary')]).toEqual([place, true]);
        expect(await isInView(page, '.decide button[value=approve]')).toBe(true);
        expect(await isInView(page, '.decide button[value=deny]')).toBe(true);
      }
    }
    await page.context().close();
  });

  it('grants one bank account among ten sources in three clicks', async () => {
    const page = await open({ javaScriptEnabled });
    const bank = page.locator('fieldset.offered-connection:has(legend:text-matches("bank", "i"))').first();
    expect(await count(page, 'fieldset.offered-connection')).toBe(10);
    await bank.locator('details > summary').first().click();
    await bank.locator('label', { hasText: 'Transactions' }).first().click();
    await page.click('button[value=approve]');
    await page.waitForURL('**/callback?*code=*');
    await page.context().close();
  });

  it('shows a sample record of each stream with only the selected fields', async () => {
    const page = await open({ javaScriptEnabled });
    const mail = page.locator('fieldset:has(legend:text-is("Gmail"))');
    const stream = mail.locator('.offered-stream', { has: page.locator('b:text-is("Mails")') });
    const names = () => stream.locator('.sample dt').allTextContents();
    expect(await names()).toContain('Subject');
    expect(await names()).not.toContain('Body');
    await mail.locator('details > summary').first().click();
    await stream.locator('details > summary').first().click();
    await stream.locator('input[name=field][value$=".body"]').check();
    await stream.locator('input[name=field][value$=".subject"]').uncheck();
    if (!javaScriptEnabled) await page.click('.decide button.without-script');
    await expect.poll(names, SOON).toContain('Body');
    // With script, each change of a checkbox is a separate request.
    await expect.poll(names, SOON).not.toContain('Subject');
    // With all details open, the page still fits on a phone, including long names, chips and samples.
    await page.setViewportSize(PHONE);
    await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
    await page.context().close();
  });
});

describe('the consent page with script', () => {
  it('updates the summary on every change before submitting', async () => {
    const page = await open();
    const calendar = page.locator('fieldset:has(legend:text("Calendar"))').first();
    await calendar.locator('input[data-toggle-all]').check();
    await page.check('input[name=window][value=last_365_days]');
    await expect.poll(() => summary(page), SOON).toMatch(/^Calendar.*; last year; ends \d+ \w+ \d{4}$/);
    await page.selectOption('#expires', 'never');
    await expect.poll(() => summary(page), SOON).toMatch(/; until revoked$/);
    await calendar.locator('input[data-toggle-all]').uncheck();
    await expect.poll(() => summary(page), SOON).toMatch(/^Nothing yet; last year; until revoked$/);
    await page.context().close();
  });

  it('aligns details below names on a phone, and markers with the first line', async () => {
    const page = await open({ viewport: PHONE });
    const bank = page.locator('fieldset.offered-connection:has(legend:text-is("Nordbank"))');
    await bank.locator('details > summary').first().click();
    const label = bank.locator('.offered-stream > label').first();
    const [name, size, chip] = await Promise.all(
      ['b', '.muted', '.chip'].map((part) => label.locator(part).first().boundingBox()),
    );
    expect(size?.x).toBeGreaterThanOrEqual((name?.x ?? 0) - 1);
    expect(chip?.x).toBeGreaterThanOrEqual((name?.x ?? 0) - 1);
    const align = `getComputedStyle(document.querySelector('.offered-stream details.more > summary')).alignItems`;
    expect(await page.evaluate(align)).toBe('baseline');
    await page.context().close();
  });

  it('does not approve when Enter is pressed in a field', async () => {
    const page = await open();
    await press(page, 'button[value=ordinary]');
    await page.focus('input[name=since]');
    const loaded = page.waitForEvent('load');
    await page.keyboard.press('Enter');
    await loaded;
    expect(page.url()).toContain('/oauth/consent/');
    expect(await page.textContent('h1')).toContain('wants to read your data');
    expect(await checkPage(page, 'consent-chosen')).toEqual({ overflows: false });
    await page.context().close();
  });
});
