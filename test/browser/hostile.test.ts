import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { hostileTexts } from '../../bench/generator/texts/hostile.ts';
import { note, notesSource } from '../support/notes-source.ts';
import { makeFolder } from '../support/temp-folder.ts';
import { checkPage } from './check-page.ts';
import { LoopbackApp } from './loopback-app.ts';
import { setPassphrase } from './owner-page.ts';
import { useBrowser } from './use-browser.ts';

const HOSTILE = [
  '"><script>zq()</script><img src=x onerror=zq()>',
  '</script><script>zq()</script>',
  '" onfocus="zq()" autofocus x="',
  'javascript:zq()',
  '{{constructor.constructor("zq()")()}}',
  '<svg onload=zq()><a href="javascript:zq()">x</a></svg>',
  '<iframe srcdoc="<script>parent.zq()</script>"></iframe><base href="https://evil.example/">',
  '![x](https://evil.example/x.png) [x](javascript:zq())',
];

const { server, browser } = await useBrowser();
const page = await browser.newPage();
const complaints: string[] = [];

beforeAll(async () => {
  await page.exposeFunction('zq', () => complaints.push(`${page.url()}: a script of a record ran`));
  page.on('dialog', (dialog) => complaints.push(`${page.url()}: ${dialog.message()}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text()))
      complaints.push(`${page.url()}: ${message.text()}`);
  });
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== server.origin) complaints.push(`asked for ${request.url()}`);
  });
  await page.goto(server.setupLink);
  await setPassphrase(page);
}, 600_000);

describe('hostile text in records, names and addresses', () => {
  it('I-03 runs no script, violates no policy and sends no request, on any page', async () => {
    const folder = makeFolder();
    writeFileSync(join(folder, 'notes.json'), JSON.stringify(notesSource));
    const lines = HOSTILE.map((text, index) =>
      JSON.stringify(
        note(`h${index}`, {
          title: text,
          body: `${text} lantern`,
          author: text,
          tags: [text],
          place: { [text]: text },
        }),
      ),
    );
    writeFileSync(join(folder, 'notes.ndjson'), lines.join('\n'));
    const steps = [
      ['source', 'add', join(folder, 'notes.json')],
      ['connection', 'add', 'notes', '--id', 'home', '--name', 'x<img src=x onerror=zq()>'],
      ['ingest', 'home', 'notes', join(folder, 'notes.ndjson')],
      ['grant', 'create', '--client', '<img src=x onerror=zq()>', '--allow', 'home'],
    ];
    for (const step of steps) expect([step[0], (await server.cli(...step)).code]).toEqual([step[0], 0]);
    const app = await LoopbackApp.start(server.origin, '<svg onload=zq()>');
    const paths = [
      '/dashboard',
      '/dashboard/connect',
      '/dashboard/apps',
      '/dashboard/activity',
      '/dashboard/data',
      '/dashboard/data/home/notes',
      '/dashboard/data?q=lantern',
      `/dashboard/data?q=${encodeURIComponent(HOSTILE[0] as string)}`,
      `/dashboard/${encodeURIComponent(HOSTILE[0] as string)}`,
      `/login?return=${encodeURIComponent('javascript:zq()')}`,
      ...HOSTILE.map((_, index) => `/r/home/notes/h${index}`),
    ];
    for (const path of paths) {
      await page.goto(`${server.origin}${path}`);
      // Everything that waits for a click or the keyboard gets its chance.
      for (let tab = 0; tab < 12; tab += 1) await page.keyboard.press('Tab');
    }
    await page.goto(app.startUrl);
    await page.waitForSelector('text=wants to read your data');
    app.close();
    const links = await page.$$eval('a[href]', (all) => all.map((one) => one.getAttribute('href')));
    expect(links.filter((href) => /^\s*javascript:/i.test(href ?? ''))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('does not overflow lists, records or search results, on a desktop and on a phone', async () => {
    const folder = makeFolder();
    const lines = hostileTexts.map((text, index) =>
      JSON.stringify(
        note(`t${index}`, { title: text, body: `${text} lighthouse`, author: text, tags: [text] }),
      ),
    );
    writeFileSync(join(folder, 'hostile.ndjson'), lines.join('\n'));
    writeFileSync(join(folder, 'notes.json'), JSON.stringify(notesSource));
    const steps = [
      ['source', 'add', join(folder, 'notes.json')],
      ['connection', 'add', 'notes', '--id', 'coast', '--name', 'Coast'],
      ['ingest', 'coast', 'notes', join(folder, 'hostile.ndjson')],
    ];
    for (const step of steps) expect([step[0], (await server.cli(...step)).code]).toEqual([step[0], 0]);
    const longest = hostileTexts.findIndex((text) => text.length > 3_000);
    const paths = [
      '/dashboard/data/coast/notes',
      '/dashboard/data?q=lighthouse',
      `/r/coast/notes/t${longest}`,
    ];
    for (const path of paths) {
      await page.goto(`${server.origin}${path}`);
      expect([path, await checkPage(page, 'hostile')]).toEqual([path, { overflows: false }]);
    }
    expect(complaints).toEqual([]);
  });
});
