import { describe, expect, it } from 'vitest';
import { findWebAddress } from '../../dashboard/parts/links.ts';
import { hostileStrings } from '../support/inputs/hostile-values.ts';
import { createNotesWorld, note, smallNotes } from '../support/notes-source.ts';
import { createPageApp } from '../support/servers/pages.ts';
import { useWorld } from '../support/use-world.ts';
import { expectInert, SCRIPT, TURNED } from './hostile-pages.ts';

const long = 'Once upon a time. '.repeat(1_000);

const world = await useWorld(createNotesWorld({ timeZone: 'Europe/Berlin' }));
await world.ingest('home', 'notes', [
  ...smallNotes,
  note('evil', {
    title: SCRIPT + TURNED,
    body: `${SCRIPT}\n${TURNED}`,
    author: 'javascript:alert(1)',
    tags: [SCRIPT],
    place: { [SCRIPT]: [SCRIPT, { deep: TURNED }] },
    secret: 'https://mail.example/?a="><script>',
  }),
  note('link', {
    author: 'https://example.org/a?b=1',
    secret: 'https://bank.example@evil.example/',
    body: long,
  }),
  note('readme.md', { title: 'A file' }),
]);
const pages = createPageApp(world);

describe('/r/{id}', () => {
  it('shows all fields, times in the time zone of the owner, and folded JSON', async () => {
    const { status, text, headers } = await pages.get('/r/home/notes/n1');
    expect(status).toBe(200);
    expect(headers.get('vary')).toBe('accept');
    expect(text).toContain('<h1>Lisbon trip</h1>');
    expect(text).toContain('10 Jan 2026, 10:30');
    expect(text).toContain('JSON, 2 parts');
    expect(text).toContain('&quot;city&quot;: &quot;Lisbon&quot;');
    expect(text).toContain('<a href="/r/home/people/ana">Ana Reis</a>');
    expect(text).toContain('<a href="/r/home/comments/c1">Take the early one</a>');
    expectInert(text);
  });

  it('shows readable fields first and ids last', async () => {
    const { text } = await pages.get('/r/home/comments/c1');
    const table = /<table[\s\S]*?<\/table>/.exec(text)?.[0] ?? '';
    const labels = [...table.matchAll(/<th[^>]*>([^<]*)</g)].map(([, label]) => label);
    expect(labels.slice(-2)).toEqual(['ID', 'Note ID']);
    expect(labels.slice(0, -2).filter((label) => / IDs?$|^IDs?$/.test(label ?? ''))).toEqual([]);
    // The other forms are for programs; they stand with the id, not beside the title.
    expect(text.indexOf('>Markdown</a>')).toBeGreaterThan(text.indexOf('Record ID'));
  });

  it('I-03 shows hostile content as text', async () => {
    const { text } = await pages.get('/r/home/notes/evil');
    expectInert(text);
    expect(text).not.toContain('href="javascript');
    expect(text).toContain('javascript:alert(1)');
    expect(text).toContain('\\u{202e}');
  });

  it('I-03 links plain web addresses and nothing that only resembles one', async () => {
    const { text } = await pages.get('/r/home/notes/link');
    expect(text).toContain(
      '<a class="long" href="https://example.org/a?b=1" rel="noreferrer noopener nofollow" target="_blank">https://example.org/a?b=1</a>',
    );
    expect(text).not.toContain('href="https://bank.example');
    expect(text).toContain('https://bank.example@evil.example/');
  });

  it('shows the beginning of a long text and unfolds the rest', async () => {
    const { text } = await pages.get('/r/home/notes/link');
    expect(text).toMatch(/Show 1[34],\d{3} more characters/);
    // What stands above it is called by its first words.
    expect(text.slice(text.indexOf('class="text"')).match(/Once/g)).toHaveLength(1_000);
  });

  it('returns Markdown and JSON by suffix or by Accept header', async () => {
    for (const [path, accept] of [
      ['/r/home/notes/n1.md', '*/*'],
      ['/r/home/notes/n1', 'text/markdown'],
      ['/r/home/notes/n1', 'text/markdown, text/html;q=0.8'],
    ] as const) {
      const { text, headers } = await pages.get(path, { accept });
      expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8');
      expect(text).toMatch(/^# `Lisbon trip`\n/);
    }
    for (const [path, accept] of [
      ['/r/home/notes/n1.json', 'text/html'],
      ['/r/home/notes/n1', 'application/json'],
    ] as const)
      expect(JSON.parse((await pages.get(path, { accept })).text)).toMatchObject({ id: 'home/notes/n1' });
    const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    for (const accept of [browser, '*/*', ''])
      expect((await pages.get('/r/home/notes/n1', { accept })).text).toContain('<!doctype html>');
  });

  it('finds a record whose key ends in .md', async () => {
    expect((await pages.get('/r/home/notes/readme.md')).text).toContain('<h1>A file</h1>');
    expect((await pages.get('/r/home/notes/readme.md.md')).text).toMatch(/^# `A file`/);
  });

  it('opens every record address that a tool returns', async () => {
    const keys = Object.values(hostileStrings).filter((key) => key.length < 400 && key.isWellFormed());
    const stored = keys.filter((key) => key.trim() !== '' && !/\p{Cc}/u.test(key));
    await world.ingest(
      'home',
      'codes',
      stored.map((key) => ({ key, data: { id: key, label: 'odd' } })),
    );
    let found = 0;
    let cursor: string | undefined;
    do {
      const { structuredContent } = await world.call(world.token, 'query_records', {
        stream: 'codes',
        fields: ['label'],
        cursor,
      });
      for (const { id } of structuredContent.data) {
        expect([id, (await pages.get(`/r/${id}`)).status]).toEqual([id, 200]);
        expectInert((await pages.get(`/r/${id}`)).text);
        found += 1;
      }
      cursor = structuredContent.next_cursor;
    } while (cursor !== undefined);
    expect(found).toBeGreaterThan(15);
  });

  it('returns 404 for an unknown record', async () => {
    for (const path of ['', 'home', 'home/notes', 'home/notes/', 'home/notes/zzz', 'home/notes/n', 'x/y/z'])
      expect([path, (await pages.get(`/r/${path}`)).status]).toEqual([path, 404]);
  });
});

describe('findWebAddress', () => {
  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)//https://',
    'data:text/html,x',
    'https://user@host/',
    'https://user:pass@host/',
    'https://host/ and more',
    'https://host\\u{202e}/x',
    '//host/x',
    '/r/x',
    'https://',
    `https://host/${'x'.repeat(3_000)}`,
  ])('does not take %j for one', (text) => {
    expect(findWebAddress(text)).toBeUndefined();
  });
});
