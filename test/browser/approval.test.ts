import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DEMO_DAY } from '../../bench/demo-end.ts';
import { declare, declareStream, string } from '../support/declare.ts';
import { askAccess } from './ask-access.ts';
import { setPassphrase } from './owner-page.ts';
import { press } from './press.ts';
import { useBrowser } from './use-browser.ts';

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);

const { server, browser } = await useBrowser();
const context = await browser.newContext();
let page = await context.newPage();
const apps: Server[] = [];
const complaints: string[] = [];
const asked: string[] = [];

beforeAll(async () => {
  expect((await server.cli('demo', '--until', DEMO_DAY)).code).toBe(0);
  await page.goto(server.setupLink);
  await setPassphrase(page);
}, 600_000);
afterAll(() => {
  for (const app of apps) app.close();
});

/** A page that asked for an app's scheme is not good for anything else. */
beforeEach(async () => {
  await page.close();
  page = await context.newPage();
  page.on('console', (message) => complaints.push(message.text()));
  page.on('request', (request) => asked.push(request.url()));
});

/** An app that listens, and sends the browser on if it is told to. */
async function listen(host: string, onward?: string): Promise<{ port: number; got: string[] }> {
  const got: string[] = [];
  const app = createServer((request, response) => {
    got.push(request.url ?? '');
    if (onward === undefined) response.end('You can go back to the app.');
    else response.writeHead(302, { location: onward }).end();
  });
  await new Promise<void>((resolve) => app.listen(0, host, resolve));
  apps.push(app);
  return { port: (app.address() as AddressInfo).port, got };
}

/** Registers with a redirect, opens the consent page and returns its form-action. */
async function ask(redirectUri: string): Promise<string> {
  const { startUrl } = await askAccess(server.origin, { name: 'App', redirectUri, verifier: 'not redeemed' });
  const opened = await page.goto(startUrl);
  // Nothing is ticked for an app that named itself.
  await press(page, 'button[value=ordinary]');
  complaints.length = 0;
  asked.length = 0;
  return /form-action ([^;]*);/.exec(opened?.headers()['content-security-policy'] ?? '')?.[1] ?? '';
}

const waitFor = async (isThere: () => boolean) => {
  for (let i = 0; i < 100 && !isThere(); i += 1) await new Promise((resolve) => setTimeout(resolve, 100));
};

describe('an approval in a real browser', () => {
  it.each<[host: string, name: string]>([
    ['127.0.0.1', '127.0.0.1'],
    ['127.0.0.1', 'localhost'],
    ...(hasIpv6 ? [['::1', '[::1]'] as [string, string]] : []),
  ])(
    'I-03 reaches an app that listens on %s and is called %s, and the policy names no other place',
    async (host, name) => {
      const { port, got } = await listen(host);
      const policy = await ask(`http://${name}:${port}/callback`);
      expect(policy).toBe(`'self' http://${name === '[::1]' ? '*' : name}:${port}`);
      await page.click('button[value=approve]');
      await waitFor(() => got.length > 0);
      expect([got[0]?.split('?')[0], complaints]).toEqual(['/callback', []]);
    },
  );

  it('I-03 redirects to an app with a custom URL scheme', async () => {
    const policy = await ask('cursor://anysphere.cursor-mcp/oauth/callback');
    expect(policy).toBe("'self' cursor:");
    await page.click('button[value=approve]');
    await waitFor(() => asked.some((url) => url.startsWith('cursor:')));
    expect(asked.at(-1)).toMatch(/^cursor:\/\/anysphere\.cursor-mcp\/oauth\/callback\?code=/);
    expect(complaints).toEqual([]);
  });

  it('I-03 does not follow a redirect to a host that was not shown; the app still gets its code', async () => {
    const elsewhere = await listen('127.0.0.1');
    const { port, got } = await listen('127.0.0.1', `http://127.0.0.1:${elsewhere.port}/done`);
    await ask(`http://127.0.0.1:${port}/callback`);
    await page.click('button[value=approve]');
    await waitFor(() => complaints.length > 0);
    expect([got.length, elsewhere.got]).toEqual([1, []]);
    expect(complaints.join()).toContain('form-action');
  });

  it('is accepted once, and the page keeps the selection after an error', async () => {
    const { port, got } = await listen('127.0.0.1');
    await ask(`http://127.0.0.1:${port}/callback`);
    await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
    const boxes = page.locator('input[name=stream]');
    const count = await boxes.count();
    for (let i = 0; i < count; i += 1) await boxes.nth(i).setChecked(i === 2);
    await page.check('input[value=custom]');
    await page.fill('input[name=since]', '2026-02-01');
    await page.fill('input[name=until]', '2026-01-01');
    await page.selectOption('#expires', '1d');
    await page.click('button[value=approve]');
    await page.waitForSelector('[role=alert]');
    const ticked = page.locator('input[name=stream]:checked');
    expect([await ticked.count(), await ticked.first().getAttribute('value')]).toEqual([1, '2']);
    expect(await page.inputValue('input[name=since]')).toBe('2026-02-01');
    expect(await page.inputValue('input[name=until]')).toBe('2026-01-01');
    expect(await page.inputValue('#expires')).toBe('1d');
    await page.fill('input[name=until]', '2026-03-01');
    await page.click('button[value=approve]');
    await waitFor(() => got.length > 0);
    expect(got[0]).toContain('code=');
  });
});

describe('a record whose key is a path segment such as ..', () => {
  const keys = ['.', '..', '~.', 'a/../b', '\\', '%2e', ' '];
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pdpp-steps-'));
    const write = (name: string, lines: unknown[]) => {
      writeFileSync(join(folder, name), lines.map((line) => JSON.stringify(line)).join('\n'));
      return join(folder, name);
    };
    const steps = declareStream('steps', { fields: { id: string, name: string } });
    const records = keys.map((key) => ({
      key,
      emitted_at: '2026-01-01T00:00:00Z',
      data: { id: key, name: `called ${key}.` },
    }));
    await server.cli('source', 'add', write('source.json', [declare('steps', [steps])]));
    await server.cli('connection', 'add', 'steps', '--id', 'steps', '--name', 'Steps');
    const { out } = await server.cli('ingest', 'steps', 'steps', write('steps.ndjson', records));
    expect(out).toContain(`${keys.length} new`);
    rmSync(folder, { recursive: true });
  });

  it.each(keys)('%j has a working address', async (key) => {
    const name = `called ${key}.`;
    await page.goto(`${server.origin}/dashboard/data/steps/steps`);
    await page.locator('main a[href^="/r/"]', { hasText: name }).first().click();
    await page.waitForURL('**/r/steps/steps/*');
    expect((await page.textContent('main'))?.includes(name)).toBe(true);
    await page.click('main a:has-text("JSON")');
    await page.waitForURL(/\.json$/);
    expect(await page.textContent('body')).toContain(JSON.stringify(name));
  });
});
