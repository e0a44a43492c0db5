import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createDiskFile } from '../../../src/import/disk-file.ts';
import { evernoteImporter } from '../../../src/sources/evernote/evernote-importer.ts';
import { collect, makeInputFile } from '../../support/input-file.ts';
import { checkRecords, readFixture } from '../count-records.ts';

const wrap = (notes: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<en-export application="Evernote">${notes}</en-export>`;
const note = (title: string, more = '') => `<note><title>${title}</title>${more}</note>`;
const give = (text: string, pieceBytes?: number) =>
  collect(evernoteImporter, [makeInputFile('Mine.enex', text, pieceBytes)]);

describe('notebooks of Evernote', async () => {
  const found = await readFixture(evernoteImporter, 'notebooks');
  const [bread, safe, clip] = found.records.notes ?? [];

  it('are one connection, with the file name as folder', () => {
    expect(found.recognised).toHaveLength(1);
    expect(found.problems).toEqual([]);
    expect(found.records.notes?.map(({ title, folder }) => [title, folder])).toEqual([
      ['Bread & salt', 'Kitchen'],
      ['Safe', 'Kitchen'],
      ['A quiet page', 'Reading'],
      ['Untitled', 'Reading'],
      ['Untitled', 'Reading'],
    ]);
  });

  it('keep headings, lists, check boxes, tables, links and tasks', () => {
    expect(bread?.text).toBe(
      [
        '# Dough',
        '',
        'Flour, water and time.',
        '',
        '- Knead',
        '- Rest',
        '  - one hour',
        '',
        '1. Shape',
        '2. Bake',
        '',
        '[x] Buy flour',
        '[ ] Buy salt',
        '- [x] Oven on',
        '- [ ] Timer',
        '',
        'Flour | 500 g',
        'Water | 350 g',
        '',
        'See [the slow way](https://bread.example/slow) or https://bread.example.',
        '- [ ] Feed the starter (due 2024-03-12)',
      ].join('\n'),
    );
  });

  it('keep tags, times, author, place, reminders and links', () => {
    expect(bread).toMatchObject({
      tags: ['baking', 'Sunday'],
      created_at: '2024-01-02T09:00:00Z',
      edited_at: '2024-03-05T10:11:12Z',
      author: 'Ana Reis',
      source: 'desktop.mac',
      latitude: 52.5,
      longitude: 13.4,
      reminder_at: '2024-03-10T08:00:00Z',
      reminder_done_at: '2024-03-10T09:00:00Z',
      attachments: ['loaf.jpg', 'recipe.pdf'],
      links: ['https://bread.example/slow', 'https://bread.example'],
    });
  });

  it('name files in notes with type and size', () => {
    expect(found.attached.map(({ fields }) => fields)).toEqual([
      {
        id: expect.any(String),
        note_id: bread?.id,
        name: 'loaf.jpg',
        type: 'image/jpeg',
        bytes: 76,
        width: 640,
        height: 480,
        created_at: '2024-01-02T08:59:00Z',
      },
      expect.objectContaining({ name: 'recipe.pdf', type: 'application/pdf', bytes: 5 }),
    ]);
  });

  it('report encrypted parts', () => {
    expect(safe?.text).toBe('The number is [encrypted, hint: the cat] here');
    expect(found.notes).toEqual(['1 notes have encrypted parts, which were not imported']);
  });

  it('keep the page of a web clip', () => {
    expect(clip).toMatchObject({
      text: '[Over a thousand more](https://quiet.example/more)',
      source: 'web.clip7',
      source_url: 'https://quiet.example/',
    });
  });

  it('keep two notes with the same title and second', () => {
    const [first, second] = found.records.notes?.slice(3) ?? [];
    expect([first?.text, second?.text]).toEqual(['first', 'second']);
    expect(first?.id).not.toBe(second?.id);
  });
});

describe('an ENEX file', () => {
  it('of an older version gives the same records, with the ids of backup tools', async () => {
    const { records } = await readFixture(evernoteImporter, 'old');
    expect(records.notes?.map(({ text }) => text)).toEqual(['Line one\nLine two', 'by a tool']);
    expect(records.notes?.[1]?.id).toBe('5a1b2c3d-0000-4000-8000-000000000001');
  });

  it('is read completely even if a resource exceeds the parser’s limit', async () => {
    const line = `${'QUJD'.repeat(19)}\n`;
    const large = line.repeat(Math.ceil((36 * 2 ** 20) / line.length));
    const resource = `<resource><data encoding="base64">${large}</data><mime>video/mp4</mime></resource>`;
    const { attached, records, problems } = await give(wrap(note('Film', resource) + note('After')), 65_536);
    expect(problems).toEqual([]);
    expect(records.notes?.map(({ title }) => title)).toEqual(['Film', 'After']);
    expect(attached[0]?.source?.size).toBe((large.replaceAll('\n', '').length * 3) / 4);
  });

  it.each([1, 2, 3, 7])('is read the same in pieces of %i bytes', async (pieceBytes) => {
    const resource = '<resource><data encoding="base64">QUJD\n</data><mime>text/plain</mime></resource>';
    const text = wrap(note('a', `<content><![CDATA[<en-note>&lt;data</en-note>]]></content>${resource}`));
    const { attached, records } = await give(text, pieceBytes);
    expect(records.notes?.[0]?.text).toBe('<data');
    expect(attached[0]).toMatchObject({ bytes: 3, mediaType: 'text/plain' });
    expect(Buffer.from((await attached[0]?.source?.head()) ?? '').toString()).toBe('ABC');
  });

  it('of one line in 200,000 parts is read in linear time', async () => {
    const parts = '<b>a</b> <a href="https://x.example">y</a>'.repeat(100_000);
    const content = `<content><![CDATA[<en-note><table><tr><td>${parts}</td></tr></table></en-note>]]></content>`;
    const before = process.cpuUsage();
    const { records } = await give(wrap(note('a', content)), 65_536);
    const { user, system } = process.cpuUsage(before);
    expect(String(records.notes?.[0]?.text).length).toBe(24 * 100_000);
    // Minutes where each part costs the line before it.
    expect((user + system) / 1e6).toBeLessThan(5);
  });

  it('keeps the lines and the indentation of code', async () => {
    const code =
      '<div style="--en-codeblock:true;"><div>def f(x):</div><div>    if x:</div><div><br/></div><div>&nbsp;&nbsp;return 1</div></div><div>After   it</div>';
    const { records } = await give(
      wrap(note('a', `<content><![CDATA[<en-note>${code}</en-note>]]></content>`)),
    );
    expect(records.notes?.[0]?.text).toBe('def f(x):\n    if x:\n\n  return 1\n\nAfter it');
  });

  it('reports encrypted notes', async () => {
    const { records, notes } = await give(
      wrap(note('a', '<content encoding="base64:aes">RU5DMA==</content>')),
    );
    expect(records.notes?.[0]).toMatchObject({ title: 'a', is_locked: true });
    expect(records.notes?.[0]).not.toHaveProperty('text');
    expect(notes).toEqual(['1 notes are encrypted; their text was not imported']);
  });

  it('that overlaps with another imports each note once', async () => {
    const text = wrap(note('a', '<created>20200101T101010Z</created>'));
    const files = ['All.enex', 'Some.enex'].map((path) => makeInputFile(path, text));
    const { records, notes } = await collect(evernoteImporter, files);
    expect(records.notes).toHaveLength(1);
    expect(notes).toEqual(['1 duplicate notes skipped']);
  });
});

const SAMPLES = fileURLToPath(new URL('../../../../shared/samples-2/evernote-enex/', import.meta.url));

it.skipIf(!existsSync(SAMPLES))('reads files of others whole', async () => {
  const files = readdirSync(SAMPLES).map((name) => createDiskFile(SAMPLES + name, name));
  const found = await collect(evernoteImporter, files);
  await checkRecords(evernoteImporter, found);
  expect(found.problems).toEqual([]);
  expect(found.records.notes?.map(({ text }) => text).sort()).toEqual([
    'This is the content',
    '[Over 1,000 Pointless Sites](http://www.pointlesssites.com/)',
  ]);
});
