import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { DEMO_DAY } from '../../bench/demo-end.ts';
import { makeZip } from '../support/inputs/make-packs.ts';
import { connectOverHttp } from '../support/mcp-clients.ts';
import { checkPage } from './check-page.ts';
import { listComplaints, setPassphrase } from './owner-page.ts';
import { useBrowser } from './use-browser.ts';

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

const { server, browser } = await useBrowser();
const page = await browser.newPage();
let before: string;
const complaints: string[] = [];

beforeAll(async () => {
  listComplaints(page, complaints);
  await page.goto(server.setupLink);
  await setPassphrase(page);
}, 600_000);

type Answer = Record<string, unknown>;
interface Listed {
  readonly connection_id: string;
  readonly streams: readonly { readonly stream: string }[];
}

/** What an app with access to everything that is there gets from every tool. */
async function ask(): Promise<{ all: string; search: string }> {
  const { connections } = (await page.evaluate(`fetch('/dashboard/data.json').then((r) => r.json())`)) as {
    connections: Listed[];
  };
  const allow = connections.flatMap(({ connection_id }) => ['--allow', connection_id]);
  const { out } = await server.cli('grant', 'create', '--client', 'Asker', ...allow, '--json');
  const client = await connectOverHttp(`${server.origin}/mcp`, JSON.parse(out).token);
  const call = async (name: string, args: Answer = {}) =>
    (await client.callTool({ name, arguments: args })).structuredContent as Answer;
  const found = await call('search', { query: PHRASE });
  const answers: unknown[] = [await call('schema'), found, await call('search', { query: 'pier ferry' })];
  // A few of them have to do: an app may call only so often.
  for (const { connection_id, streams } of connections.filter((one) => one.streams.length > 0).slice(0, 3)) {
    const where = { connection_id, stream: streams[0]?.stream };
    const page = await call('query_records', { ...where, count: 'exact', limit: 3 });
    const [first] = page.data as { id: string }[];
    answers.push(page, await call('schema', where), await call('aggregate', where));
    answers.push(await call('fetch', { id: first?.id }));
  }
  await client.close();
  expect(answers.filter((answer) => JSON.stringify(answer).includes('"error"'))).toEqual([]);
  // The clock, the number of the request and what is sealed anew each time are of the moment.
  const all = JSON.stringify(answers).replaceAll(/"(now|next_cursor)":"[^"]*"|req_\w+/g, '');
  return { all, search: JSON.stringify(found) };
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
  it('can be uploaded on the empty pages', async () => {
    for (const [name, path] of [
      ['home-drop', '/dashboard'],
      ['data-drop', '/dashboard/data'],
      ['formats', '/dashboard/data/formats'],
    ] as const) {
      await page.goto(`${server.origin}${path}`);
      expect(await page.isVisible('text=Drop your exports here')).toBe(true);
      expect(await checkPage(page, name)).toEqual({ overflows: false });
    }
    expect(server.greeting).toContain('Upload your exports on the page');
    await server.cli('demo', '--until', DEMO_DAY);
    before = (await ask()).all;
  });

  it('is dropped and previewed before the import', async () => {
    await page.goto(`${server.origin}/dashboard/data`);
    await drop('everything.zip', zip);
    await page.waitForURL('**/dashboard/imports/new/*');
    await page.waitForSelector('text=Review your import');
    const text = (await page.textContent('main')) ?? '';
    for (const part of ['ChatGPT', 'alendar', 'Nothing has been imported yet', 'statement.csv'])
      expect(text).toContain(part);
    expect(await checkPage(page, 'import-ready')).toEqual({ overflows: false });
    expect((await ask()).search).not.toContain('Cooking');
  });

  it('is imported under the name chosen by the owner', async () => {
    const names = page.locator('input[name^=name_]');
    expect(await names.count()).toBe(3);
    await page
      .locator('section.card', { hasText: 'conversations.json' })
      .locator('input[name^=name_]')
      .fill('My talks');
    await page.click('text=Import selected');
    await page.waitForSelector('h1:text-is("Import complete")');
    expect(await checkPage(page, 'import-done')).toEqual({ overflows: false });
    const { search } = await ask();
    expect(search).toContain('Cooking by the sea');
  });

  it('is shown as a conversation and as a list with filters and CSV', async () => {
    await page.goto(`${server.origin}/dashboard/data`);
    const { connections } = (await page.evaluate(`fetch('/dashboard/data.json').then((r) => r.json())`)) as {
      connections: (Listed & { name: string })[];
    };
    const id = connections.find(({ name }) => name === 'My talks')?.connection_id as string;
    await page.goto(`${server.origin}/r/${id}/conversations/c1`);
    expect(await page.locator('.messages .message').allInnerTexts()).toEqual([
      expect.stringMatching(new RegExp(`^You .*How do I bake a ${PHRASE}\\?$`, 's')),
      expect.stringMatching(/^Assistant .*With patience\.$/s),
    ]);
    expect(await checkPage(page, 'record-talk')).toEqual({ overflows: false });

    await page.goto(`${server.origin}/dashboard/data/${id}/messages`);
    expect(await page.locator('tbody tr').count()).toBe(2);
    // By keyboard alone: the filter is opened, a value chosen and sent.
    await page.focus('details:has(.filter-grid) > summary');
    await page.keyboard.press('Enter');
    expect(await checkPage(page, 'records')).toEqual({ overflows: false });
    await page.selectOption('[name="is:role"]', 'assistant');
    await page.focus('button:text-is("Filter")');
    await page.keyboard.press('Enter');
    await page.waitForURL(/is%3Arole=assistant/);
    expect(await page.locator('tbody tr').allInnerTexts()).toEqual([
      expect.stringContaining('With patience.'),
    ]);
    const [csv] = await Promise.all([page.waitForEvent('download'), page.click('text=Download CSV')]);
    const lines = readFileSync(await csv.path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    expect(lines).toEqual([expect.stringMatching(/^id,/), expect.stringContaining('With patience.')]);
  });

  it('is listed in the import history with reports', async () => {
    await page.goto(`${server.origin}/dashboard/data`);
    expect(await page.locator('#imports tbody tr').count()).toBe(3);
    expect(await checkPage(page, 'data-imports')).toEqual({ overflows: false });
    await page.click('#imports tbody tr:first-child a');
    await page.waitForURL(/imports\/\d+$/);
    expect(await checkPage(page, 'import')).toEqual({ overflows: false });
    await page.goto(`${server.origin}/dashboard/data`);
    // With many connections each is folded.
    await page.click('details.card[id] > summary >> nth=0');
    await page.click('text=Rename or remove >> nth=0');
    await page.waitForURL('**/dashboard/connections/*');
    expect(await checkPage(page, 'connection')).toEqual({ overflows: false });
  });

  it('can be undone, after which every tool answers as before', async () => {
    for (let left = 3; left > 0; left -= 1) {
      await page.goto(`${server.origin}/dashboard/data`);
      await page.click('#imports tbody tr:first-child a');
      await page.waitForURL(/imports\/\d+$/);
      await page.click('summary:has-text("Undo this import")');
      // One of them on a phone.
      if (left === 2) await page.setViewportSize({ width: 390, height: 844 });
      await page.click('button:has-text("Undo import")');
      await page.waitForURL('**/dashboard/removals/*');
      await page.waitForSelector('h1:text-is("Import undone")');
      if (left === 2) expect(await checkPage(page, 'removal')).toEqual({ overflows: false });
    }
    expect((await ask()).all).toBe(before);
  });

  it('can be uploaded without script', async () => {
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
    await plain.waitForSelector('text=Review your import');
    await plain.click('text=Discard');
    await plain.waitForSelector('text=Upload discarded');
    expect(await checkPage(plain, 'data-scriptless', 'no script')).toEqual({ overflows: false });
    await context.close();
  });

  it('is followed by removing the demo data', async () => {
    await page.goto(`${server.origin}/dashboard/data`);
    await page.click('summary:has-text("Remove demo data")');
    await page.click('button:has-text("Remove demo data")');
    await page.waitForSelector('h1:text-is("Data removed")');
    await page.click('text=View data');
    await page.waitForSelector('text=No export yet?');
    const [drop, demo] = await Promise.all(
      ['.drop', 'h2:has-text("No export yet?")'].map((what) => page.locator(what).boundingBox()),
    );
    expect(drop?.y ?? 0).toBeLessThan(demo?.y ?? 0);
    expect(complaints).toEqual([]);
  });
});
