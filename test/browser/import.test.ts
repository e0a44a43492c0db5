import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_DAY } from '../../bench/demo-end.ts';
import { startChromium } from '../support/chromium.ts';
import { makeZip } from '../support/make-packs.ts';
import { connectOverHttp } from '../support/mcp-clients.ts';
import { type RunningServer, startServer } from './running-server.ts';
import { takeScreenshots } from './screenshots.ts';

const PASSPHRASE = 'four words nobody guesses';
const PHRASE = 'lighthouse soufflé';

const talk = {
  id: 'c1',
  conversation_id: 'c1',
  title: 'Cooking by the sea',
  create_time: 1767225600,
  update_time: 1767225700,
  current_node: 'm2',
  mapping: {
    root: { id: 'root', message: null, parent: null, children: ['m1'] },
    m1: node('m1', 'root', ['m2'], 'user', `How do I bake a ${PHRASE}?`, 1767225600),
    m2: node('m2', 'm1', [], 'assistant', 'With patience.', 1767225700),
  },
};
const calendar = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y//EN\r\nBEGIN:VEVENT\r\nUID:one@example.org\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:20260102T100000Z\r\nSUMMARY:Walk to the pier\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`;
const bank =
  'Buchungstag;Valutadatum;Buchungstext;Verwendungszweck;Begünstigter/Zahlungspflichtiger;IBAN;Betrag;Währung\n02.01.2026;02.01.2026;LASTSCHRIFT;Eggs;Corner shop;DE00123;-4,20;EUR\n03.01.2026;03.01.2026;GUTSCHRIFT;Salary;Harbour Ltd;DE00456;1.000,00;EUR\n';
const zip = makeZip([
  { path: 'chatgpt/conversations.json', content: JSON.stringify([talk]) },
  { path: 'calendar/private.ics', content: calendar },
  { path: 'bank/statement.csv', content: bank },
]);

function node(id: string, parent: string, children: string[], role: string, text: string, at: number) {
  const content = { content_type: 'text', parts: [text] };
  const message = {
    id,
    author: { role },
    create_time: at,
    content,
    status: 'finished_successfully',
    metadata: {},
  };
  return { id, parent, children, message };
}

let server: RunningServer;
let browser: Browser;
let page: Page;
let before: string;
const complaints: string[] = [];

beforeAll(async () => {
  [browser, server] = await Promise.all([startChromium(), startServer()]);
  page = await browser.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
  await page.goto(server.setupLink);
  await page.fill('#passphrase', PASSPHRASE);
  await page.fill('#again', PASSPHRASE);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/dashboard');
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

/** What an app with access to everything that is there gets from every tool. */
async function ask(): Promise<{ all: string; search: string }> {
  const { connections } = (await page.evaluate(`fetch('/dashboard/data.json').then((r) => r.json())`)) as {
    connections: { connection_id: string }[];
  };
  const allow = connections.flatMap(({ connection_id }) => ['--allow', connection_id]);
  const { out } = await server.cli('grant', 'create', '--client', 'Asker', ...allow, '--json');
  const client = await connectOverHttp(`${server.origin}/mcp`, JSON.parse(out).token);
  const call = async (name: string, args: Record<string, unknown> = {}) =>
    (await client.callTool({ name, arguments: args })).structuredContent;
  const search = JSON.stringify(await call('search', { query: PHRASE }));
  const all = JSON.stringify([await call('schema'), search]);
  await client.close();
  // The clock and the number of the request are of the moment.
  return { all: all.replaceAll(/"now":"[^"]*"|req_\w+/g, ''), search };
}

/** Drops a file on the form, as a hand with a mouse does. */
async function drop(name: string, bytes: Buffer): Promise<void> {
  const data = await page.evaluateHandle(
    `(() => { const data = new DataTransfer(); const bytes = Uint8Array.from(atob(${JSON.stringify(
      bytes.toString('base64'),
    )}), (c) => c.charCodeAt(0)); data.items.add(new File([bytes], ${JSON.stringify(name)})); return data; })()`,
  );
  await page.dispatchEvent('[data-drop]', 'dragover', { dataTransfer: data });
  await page.dispatchEvent('[data-drop]', 'drop', { dataTransfer: data });
}

/** Each step goes on from the one before. */
describe('a zip of mixed exports', () => {
  it('is asked for on the empty pages', async () => {
    for (const [name, path] of [
      ['home-drop', '/dashboard'],
      ['data-drop', '/dashboard/data'],
      ['formats', '/dashboard/data/formats'],
    ] as const) {
      await page.goto(`${server.origin}${path}`);
      expect(await page.isVisible('text=Drop your exports here')).toBe(true);
      expect(await takeScreenshots(page, name)).toEqual({ sticksOut: false });
    }
    await server.cli('demo', '--records', '500', '--until', DEMO_DAY);
    before = (await ask()).all;
  });

  it('is dropped, and said what it is before anything is added', async () => {
    await page.goto(`${server.origin}/dashboard/data`);
    await drop('everything.zip', zip);
    await page.waitForURL('**/dashboard/imports/new/*');
    await page.waitForSelector('text=This is what was found');
    const text = (await page.textContent('main')) ?? '';
    for (const part of ['ChatGPT', 'alendar', 'Nothing is added yet', 'statement.csv'])
      expect(text).toContain(part);
    expect(await takeScreenshots(page, 'import-ready')).toEqual({ sticksOut: false });
    expect((await ask()).search).not.toContain('Cooking');
  });

  it('is added under the name that the owner gives', async () => {
    const names = page.locator('input[name^=name_]');
    expect(await names.count()).toBe(3);
    await page
      .locator('section.card', { hasText: 'conversations.json' })
      .locator('input[name^=name_]')
      .fill('My talks');
    await page.click('text=Add it');
    await page.waitForSelector('h1:text-is("It is in")');
    expect(await takeScreenshots(page, 'import-done')).toEqual({ sticksOut: false });
    const { search } = await ask();
    expect(search).toContain('Cooking by the sea');
  });

  it('is in the history, each with its report', async () => {
    await page.goto(`${server.origin}/dashboard/data`);
    expect(await page.locator('#imports tbody tr').count()).toBe(3);
    expect(await takeScreenshots(page, 'data-imports')).toEqual({ sticksOut: false });
    await page.click('#imports tbody tr:first-child a');
    await page.waitForURL(/imports\/\d+$/);
    expect(await takeScreenshots(page, 'import')).toEqual({ sticksOut: false });
    await page.goto(`${server.origin}/dashboard/data`);
    // With many connections each is folded.
    await page.click('details.card[id] > summary >> nth=0');
    await page.click('text=Rename or remove >> nth=0');
    await page.waitForURL('**/dashboard/connections/*');
    expect(await takeScreenshots(page, 'connection')).toEqual({ sticksOut: false });
  });

  it('is undone, and every tool answers as before', async () => {
    for (let left = 3; left > 0; left -= 1) {
      await page.goto(`${server.origin}/dashboard/data`);
      await page.click('#imports tbody tr:first-child a');
      await page.waitForURL(/imports\/\d+$/);
      await page.click('summary:has-text("Undo this import")');
      await page.click('button:has-text("Undo it")');
      await page.waitForSelector('text=The import is undone');
    }
    expect((await ask()).all).toBe(before);
  });

  it('can be brought without script', async () => {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      storageState: await page.context().storageState(),
    });
    const plain = await context.newPage();
    await plain.goto(`${server.origin}/dashboard/data`);
    await plain.setInputFiles('#file', {
      name: 'private.ics',
      mimeType: 'text/calendar',
      buffer: Buffer.from(calendar),
    });
    await plain.click('button:has-text("Upload")');
    await plain.waitForSelector('text=This is what was found');
    await plain.click('text=Throw away');
    await plain.waitForSelector('text=The upload is thrown away');
    expect((await takeScreenshots(plain, 'data-scriptless')).sticksOut).toBe(false);
    await context.close();
  });

  it('goes with the demo in one step', async () => {
    await page.goto(`${server.origin}/dashboard/data`);
    await page.click('summary:has-text("Remove the demo data")');
    await page.click('button:has-text("Remove the demo data")');
    await page.waitForSelector('text=No export at hand?');
    expect(complaints).toEqual([]);
  });
});
