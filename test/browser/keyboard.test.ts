import { afterAll, describe, expect, it } from 'vitest';
import { checkPage } from './check-page.ts';
import { LoopbackApp } from './loopback-app.ts';
import { PASSPHRASE } from './owner-page.ts';
import { useBrowser } from './use-browser.ts';

const { server, browser } = await useBrowser();
const page = await (await browser.newContext({ timezoneId: 'Asia/Tokyo' })).newPage();
let app: LoopbackApp;
let token: string;

afterAll(() => app?.close());

const MAX_TABS = 200;

/** Whether whoever looks sees where they are: a line around what has the focus, and it is in view. */
const FOCUS = `(() => {
  const one = document.activeElement;
  if (one === null || one === document.body) return 'seen';
  const { outlineStyle, outlineWidth } = getComputedStyle(one);
  const { top, bottom, left, right } = one.getBoundingClientRect();
  const middle = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  const isFree = middle !== null && (one.contains(middle) || middle.contains(one) || middle.closest('label')?.contains(one));
  if (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0 && isFree) return 'seen';
  return location.pathname + ' ' + one.outerHTML.slice(0, 200) + ' ' + outlineStyle + ' ' + isFree;
})()`;

/** Goes on with the Tab key alone until the focus is there, as somebody without a mouse does. */
async function tabTo(selector: string): Promise<void> {
  for (let i = 0; i < MAX_TABS; i += 1) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate(FOCUS)).toBe('seen');
    if (await page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)})`)) return;
  }
  throw new Error(`the keyboard does not reach ${selector}`);
}

const press = async (selector: string, key: 'Enter' | 'Space') => {
  await tabTo(selector);
  await page.keyboard.press(key);
};

/** Each step goes on from the one before. Nothing here uses a mouse. */
describe('with the keyboard alone', () => {
  it("sets the passphrase and the browser's time zone", async () => {
    await page.goto(server.setupLink);
    expect(await page.inputValue('#time_zone')).toBe('Asia/Tokyo');
    expect(await page.evaluate(FOCUS)).toBe('seen');
    await page.keyboard.type(PASSPHRASE);
    await tabTo('#again');
    await page.keyboard.type(PASSPHRASE);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard');
  });

  it('changes the time zone on the settings page', async () => {
    await press('a[href="/dashboard/settings"]', 'Enter');
    await page.waitForURL('**/dashboard/settings');
    expect(await page.inputValue('#time_zone')).toBe('Asia/Tokyo');
    expect(await checkPage(page, 'settings')).toEqual({ overflows: false });
    await tabTo('#time_zone');
    await page.keyboard.type('Europe/Ber');
    await press('form[action$="/zone"] button', 'Enter');
    await page.waitForURL('**/dashboard/settings?done=zone');
    expect(await page.inputValue('#time_zone')).toBe('Europe/Berlin');
  });

  it('approves one stream', async () => {
    expect((await server.cli('demo')).code).toBe(0);
    app = await LoopbackApp.start(server.origin, 'Some app');
    await page.goto(app.startUrl);
    await press('.offered-connection > details > summary', 'Enter');
    await press('.offered-connection input[name=stream]', 'Space');
    await expect.poll(() => page.textContent('#summary'), { timeout: 20_000 }).not.toContain('Nothing yet');
    await press('button[value=approve]', 'Enter');
    await page.waitForURL('**/callback?*');
    token = await app.redeem();
  });

  it('revokes access', async () => {
    await page.goto(`${server.origin}/dashboard/apps`);
    await press('details.confirm:has(form[action$="/revoke"]) > summary', 'Enter');
    await press('form[action$="/revoke"] button', 'Enter');
    await page.waitForURL('**/dashboard/apps?done=*');
    const answer = await fetch(`${server.origin}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(answer.status).toBe(401);
  });
});
