import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { DEMO_DAY } from '../../bench/demo-end.ts';
import { connectOverHttp, FIVE_TOOLS } from '../support/mcp-clients.ts';
import { checkPage } from './check-page.ts';
import { LoopbackApp } from './loopback-app.ts';
import { listComplaints, PASSPHRASE, setPassphrase } from './owner-page.ts';
import { press } from './press.ts';
import { useBrowser } from './use-browser.ts';

const PICTURE = fileURLToPath(new URL('../../docs/consent.png', import.meta.url));

const { server, browser } = await useBrowser();
const page = await browser.newPage();
let app: LoopbackApp;
let token: string;
const complaints: string[] = [];

listComplaints(page, complaints);
page.on('request', (request) => {
  if (new URL(request.url()).hostname !== '127.0.0.1') complaints.push(`asked for ${request.url()}`);
});
afterAll(() => app?.close());

const go = (path: string) => page.goto(`${server.origin}${path}`);
const heading = () => page.textContent('h1');

/** Each step goes on from the one before, as a person would. */
describe('from the first start to revocation', () => {
  it('prints a setup link and a connect command', () => {
    expect(server.greeting).toContain(`Open   ${server.origin}/setup/`);
    expect(server.greeting).toContain(`Add    claude mcp add --transport http pdpp ${server.origin}/mcp`);
  });

  it('requires the passphrase to be set first', async () => {
    await go('/dashboard');
    expect(await heading()).toBe('Not set up yet');
    expect(await checkPage(page, 'not-set-up')).toEqual({ overflows: false });
  });

  it('sets the passphrase through the link, once', async () => {
    await page.goto(server.setupLink);
    expect(await checkPage(page, 'set-up')).toEqual({ overflows: false });
    await setPassphrase(page);
    expect(await checkPage(page, 'home-empty')).toEqual({ overflows: false });
    const again = await page.goto(server.setupLink);
    expect(again?.status()).toBe(410);
  });

  it('shows imported demo data', async () => {
    const { code } = await server.cli('demo', '--until', DEMO_DAY);
    expect(code).toBe(0);
    await go('/dashboard');
    expect(await page.textContent('main')).toMatch(/10\s*connections/);
    expect(await checkPage(page, 'home')).toEqual({ overflows: false });
  });

  it('shows how to connect each app', async () => {
    await go('/dashboard/connect');
    expect(await page.textContent('main')).toContain(`${server.origin}/mcp`);
    expect(await checkPage(page, 'connect')).toEqual({ overflows: false });
    await page.click('.tab-list a:has-text("Codex")');
    expect(await page.isVisible(`text=codex mcp add pdpp --url ${server.origin}/mcp`)).toBe(true);
    await page.keyboard.press('ArrowLeft');
    expect(await page.isVisible(`text=claude mcp add --transport http pdpp`)).toBe(true);
    await page.click('.tab-list a:has-text("ChatGPT")');
    expect(await page.isVisible('#chatgpt')).toBe(true);
    expect(await page.isVisible('#chatgpt-progress')).toBe(false);
    await page.click('.tab-list a:has-text("Claude Code")');
    expect(await page.isVisible('#claude-code-progress')).toBe(true);
  });

  it('asks the owner to sign in before an app is approved', async () => {
    await page.click('text=Sign out');
    app = await LoopbackApp.start(server.origin, 'Claude Code (pdpp)');
    await page.goto(app.startUrl);
    expect(await heading()).toBe('Sign in');
    expect(await page.textContent('main')).toContain('Claude Code (pdpp) wants to read your data');
    expect(await checkPage(page, 'sign-in')).toEqual({ overflows: false });
    await page.fill('#passphrase', 'wrong');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[role=alert]');
    await page.fill('#passphrase', PASSPHRASE);
    await page.keyboard.press('Enter');
    await page.waitForSelector('text=wants to read your data');
    expect(await checkPage(page, 'consent')).toEqual({ overflows: false });
  });

  it('redirects to the app with a code after approval', async () => {
    const boxes = page.locator('input[name=stream]:checked');
    expect(await boxes.count()).toBe(0);
    await press(page, 'text=No private texts, money or health');
    expect(await boxes.count()).toBeGreaterThan(10);
    if (process.env.UPDATE_PICTURE) await takePicture();
    await page.selectOption('#expires', '1m');
    await page.focus('button[value=approve]');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/callback?*');
    const answer = await app.answer;
    expect([answer.get('iss'), answer.get('state')]).toEqual([server.origin, 'state of the app']);
    token = await app.redeem();
  });

  it('gives the app five tools limited to the approved data', async () => {
    const client = await connectOverHttp(`${server.origin}/mcp`, token);
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(FIVE_TOOLS);
    const call = async (name: string, args: Record<string, unknown> = {}) => {
      const result = await client.callTool({ name, arguments: args });
      expect([name, result.isError ?? false]).toEqual([name, false]);
      return result.structuredContent as { results: { id: string; url: string }[] };
    };
    await call('schema');
    const place = { stream: 'plays', connection_id: 'spotify_nora' };
    await call('query_records', { ...place, limit: 5 });
    await call('aggregate', { ...place, metric: 'count' });
    const { results } = await call('search', { query: 'Valencia' });
    const hit = results[0] as { id: string; url: string };
    await call('fetch', { id: hit.id });
    await client.close();
    await page.goto(hit.url);
    expect(await checkPage(page, 'record')).toEqual({ overflows: false });
  });

  it('shows the reads of the app on every page', async () => {
    await go('/dashboard/connect');
    expect(await page.textContent('main')).toContain('First read');
    const places = {
      'connect-other': '/dashboard/connect#other',
      activity: '/dashboard/activity',
      data: '/dashboard/data',
      settings: '/dashboard/settings',
      records: '/dashboard/data/spotify_nora/plays',
      search: '/dashboard/data?q=coffee',
      device: '/oauth/device',
      nowhere: '/nowhere',
      apps: '/dashboard/apps',
    };
    for (const [name, path] of Object.entries(places)) {
      await go(path);
      expect([name, await checkPage(page, name)]).toEqual([name, { overflows: false }]);
    }
    await page.click('text=Claude Code (pdpp)');
    await page.waitForURL('**/dashboard/apps/grant_*');
    expect(await checkPage(page, 'app')).toEqual({ overflows: false });
  });

  it('revokes access after a confirmation; the next call returns 401', async () => {
    await page.click('summary:has-text("Revoke")');
    await page.click('button:has-text("Revoke")');
    await page.waitForSelector('text=You revoked this access');
    const answer = await fetch(`${server.origin}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(answer.status).toBe(401);
  });

  it('loads nothing from other hosts and violates no content security policy', () => {
    expect(complaints.filter((text) => !/status of (4\d\d)/.test(text))).toEqual([]);
  });
});

/** Takes the picture in the README: the consent page, with the address that a new user has. */
async function takePicture(): Promise<void> {
  await page.setViewportSize({ width: 1100, height: 1000 });
  await page.evaluate(`
    document.activeElement?.blur();
    for (const code of document.querySelectorAll('code'))
      code.textContent = code.textContent.replace(/127\\.0\\.0\\.1:\\d+/, '127.0.0.1:7733');
  `);
  await page.screenshot({ path: PICTURE });
  await page.setViewportSize({ width: 1280, height: 900 });
}
