import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseRecordId, writeRecordId } from '../../src/tools/record-view.ts';
import { readAnswer } from '../support/answers.ts';
import type { Browser } from '../support/browser.ts';
import { diarySource, entry } from '../support/diary-source.ts';
import { createOwnerBrowser } from '../support/oauth-client.ts';
import { createWorld, ORIGIN, type World } from '../support/world.ts';

/** Keys that a URL parser, a route or a person could take for something else. */
const keys = [
  ...['.', '..', '~.', '~..', '~~.', '~', '...', '.a', 'a.', '%2e', '%2E%2e', '.%2e', '~%2e'],
  ...[
    ' ',
    '\t',
    '\u200b',
    '\u3164',
    '\u00a0',
    '/',
    '//',
    'a/b',
    '/a',
    'a/',
    'a/../b',
    './..',
    '%',
    '%%',
    '%2f',
  ],
  ...['\\', '..\\', 'a\\b', '?', 'a?b=c', '#', 'a#b', ';', ':', '&', '+', 'a b', '"', "'", '<b>', '(x)', '*'],
  ...['\u0000', '\u0001', '\n', '\r\n', '\u007f', 'ключ', '葛城', '👩‍💻', 'a.md', 'a.json', '.md', '..json'],
  ...['["a","b"]', '__proto__', 'constructor', 'http://x.example/', 'con', 'a'.repeat(300)],
];

const url = (id: string) => `${ORIGIN}/r/${id}`;

describe('a record id', () => {
  it('is an address that URL parsers leave alone and that leads back to the key', () => {
    const key = fc.oneof(
      fc.constantFrom(...keys),
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc
        .array(fc.constantFrom('.', '~', '%', '2e', '/', '\\', 'a'), { minLength: 1, maxLength: 6 })
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(key, (one) => {
        const id = writeRecordId('mine', 'entries', one);
        expect(new URL(url(id)).href).toBe(url(id));
        expect(new Request(url(id)).url).toBe(url(id));
        for (const sent of [id, url(id)]) expect(parseRecordId(sent, ORIGIN).keys[0]).toBe(one);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is different for every key', () => {
    const pieces = ['', '~', '~~', '.', '..', '%2e', 'a'];
    const all = pieces.flatMap((a) => pieces.map((b) => `${a}${b}`)).filter((one) => one !== '');
    const distinct = new Set(all);
    expect(new Set([...distinct].map((one) => writeRecordId('c', 's', one))).size).toBe(distinct.size);
  });

  it('from a version without tildes still finds its record', () => {
    for (const key of ['.', '..', 'a', '%2e'])
      expect(parseRecordId(`mine/entries/${encodeURIComponent(key)}`, ORIGIN).keys).toContain(key);
    expect(parseRecordId('mine/entries/~.', ORIGIN).keys).toEqual(['.', '~.']);
  });
});

describe('a record with a key like a path', () => {
  let world: World;
  let browser: Browser;
  let token: string;
  beforeAll(async () => {
    world = await createWorld();
    await world.addSource(diarySource, { mine: 'My diary' });
    await world.ingest(
      'mine',
      'entries',
      keys.map((key, i) => entry(key, { title: `entry ${i}`, created_at: '2026-01-01T00:00:00Z' })),
    );
    browser = await createOwnerBrowser(world);
    token = (await world.grant([{ connection_id: 'mine' }])).token;
  });
  afterAll(() => world.close());

  const cases = keys.map((key, i) => [key, `entry ${i}`] as const);

  it.each(cases)('%j has a page, Markdown and JSON', async (key, title) => {
    const id = writeRecordId('mine', 'entries', key);
    const page = await browser.open(url(id));
    expect([page.status, /<h1>(.*?)<\/h1>/.exec(page.text)?.[1]]).toEqual([200, title]);
    for (const ending of ['.md', '.json']) {
      const other = await browser.open(`${url(id)}${ending}`);
      expect([other.status, other.text.includes(title)]).toEqual([200, true]);
      expect(other.headers.get('content-type')).toMatch(/markdown|json/);
      // Every address a page links to is one that works.
      expect(page.text).toContain(`href="/r/${id.replaceAll("'", '&#39;')}${ending}"`);
    }
  });

  it.each(cases)('%j is fetched by its id, its url and over REST', async (key, title) => {
    const id = writeRecordId('mine', 'entries', key);
    for (const sent of [id, url(id)]) {
      const document = readAnswer(await world.call(token, 'fetch', { id: sent }));
      expect([document.title, document.id, document.url]).toEqual([title, id, url(id)]);
    }
    const part = id.split('/').at(-1);
    for (const query of ['', '?connection_id=mine']) {
      const answer = await world.request(`/v1/streams/entries/records/${part}${query}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const document = (await answer.json()) as { title: string };
      expect([answer.status, document.title]).toEqual([200, title]);
    }
  });
});
