import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { recogniseInputs } from '../../../src/import/recognise.ts';
import { importers } from '../../../src/sources/importers.ts';
import { notionImporter } from '../../../src/sources/notion/notion-importer.ts';
import { collect, makeInputFile, readInputFolder } from '../../support/input-file.ts';
import { checkRecords, readFixture } from '../count-records.ts';

const FIXTURES = fileURLToPath(new URL('../fixtures/notion/', import.meta.url));
const id = (digit: number) => String(digit).repeat(32);

describe('a Markdown export of Notion', async () => {
  const found = await readFixture(notionImporter, 'markdown');
  const pages = new Map((found.records.notes ?? []).map((page) => [page.title, page]));

  it('imports each page once, and each row as its page', () => {
    expect(found.problems).toEqual([]);
    expect(found.records.notes?.map(({ title, database }) => [title, database])).toEqual([
      ['Bake bread', 'Tasks'],
      ['Call Bo: and Ana?', 'Tasks'],
      ['No page of its own', 'Tasks'],
      ['Home', undefined],
    ]);
  });

  it('keeps id, path, properties, tags and times of a page in a database', () => {
    expect(pages.get('Bake bread')).toEqual({
      id: id(3),
      title: 'Bake bread',
      text: '## How\n\nTime does the work.',
      folder: 'Home/Tasks',
      tags: ['kitchen', 'Sunday'],
      created_at: '2024-03-05T09:11:00Z',
      edited_at: '2024-03-06T19:00:00Z',
      parent_id: id(2),
      database: 'Tasks',
      properties: {
        Name: 'Bake bread',
        Status: 'Done',
        Tags: 'kitchen, Sunday',
        'Created time': 'March 5, 2024 10:11 AM',
        'Last edited time': 'March 6, 2024 8:00 PM',
      },
    });
  });

  it('keeps text that only looks like properties', () => {
    expect(pages.get('Home')).toMatchObject({
      id: id(1),
      text: expect.stringMatching(/^Note: this line is a sentence[\s\S]*- \[x\] Buy flour/),
      links: ['https://bread.example/slow'],
      attachments: ['loaf.jpg'],
    });
  });

  it('is recognised completely', async () => {
    const files = readInputFolder(`${FIXTURES}markdown`);
    const exports = await recogniseInputs(importers, files);
    expect(exports.found.map(({ importer }) => importer.format)).toEqual(['notion']);
    expect(exports.leftovers.map(({ path }) => path)).toEqual([`Home ${id(1)}/loaf.jpg`]);
  });
});

describe('an HTML export of Notion', async () => {
  const found = await readFixture(notionImporter, 'html');
  const pages = new Map((found.records.notes ?? []).map((page) => [page.title, page]));

  it('reads pages with properties, lists and files', () => {
    expect(found.problems).toEqual([]);
    expect(pages.get('Garden')).toEqual({
      id: id(5),
      title: 'Garden',
      text: [
        'What grows',
        '',
        '## Beds',
        '',
        'Beans and [peas](https://peas.example/).',
        '',
        '- [x] Water',
        '',
        '- [ ] Weed',
        '',
        '- More',
        'inside',
        '',
        'a',
        '  b',
        '',
        'Seeds',
      ].join('\n'),
      tags: ['green', 'slow'],
      created_at: '2023-05-02T05:00:00Z',
      edited_at: '2023-05-02T05:00:00Z',
      attachments: ['bed one.png'],
      links: ['https://peas.example/'],
      properties: { Tags: 'green, slow', Done: 'Yes', Created: '@May 2, 2023 7:00 AM' },
    });
  });

  it('imports the rows of a database once', () => {
    expect(found.records.notes?.map(({ title, folder, text }) => [title, folder, text])).toEqual([
      ['Bean', 'Garden/Seeds', undefined],
      ['Pea', 'Garden/Seeds', undefined],
      ['Garden', undefined, expect.any(String)],
      ['Seeds', 'Garden', undefined],
    ]);
    expect(pages.get('Bean')?.parent_id).toBe(id(6));
    expect(pages.get('Seeds')?.parent_id).toBe(id(5));
  });
});

it('imports a page once if it exists as HTML and as Markdown', async () => {
  const html = `<html><body><article id="${id(7)}" class="page sans"><header><h1 class="page-title">A</h1></header></article></body></html>`;
  const files = [makeInputFile(`A ${id(7)}.html`, html), makeInputFile(`A ${id(7)}.md`, '# A\n')];
  const { records, notes } = await collect(notionImporter, files);
  expect(records.notes).toHaveLength(1);
  expect(notes).toEqual(['1 duplicate pages skipped']);
});

it('finds the pages of a database in another part of the archive', async () => {
  const part = (count: number) => `Export/Export-0a1b2c3d-0000-4000-8000-000000000001-Part-${count}`;
  const files = [
    makeInputFile(`${part(1)}/Tasks ${id(1)}.csv`, 'Name,Status\nBake,Done\n'),
    makeInputFile(`${part(2)}/Tasks ${id(1)}/Bake ${id(2)}.md`, '# Bake\n\nStatus: Done\n'),
  ];
  const { records } = await collect(notionImporter, files);
  expect(records.notes).toEqual([
    {
      id: id(2),
      title: 'Bake',
      folder: 'Tasks',
      parent_id: id(1),
      database: 'Tasks',
      properties: { Name: 'Bake', Status: 'Done' },
    },
  ]);
});

it('finds the pages of a database in an export without folders', async () => {
  const files = [
    makeInputFile(`out/Tasks ${id(1)}.csv`, 'Name,Status\nBake,Done\nPlan,Open\n'),
    makeInputFile(`out/Bake ${id(2)}.md`, '# Bake\n\nStatus: Done\n'),
    makeInputFile(`out/Plan ${id(3)}.md`, '# Plan\n\nA page of this name that is no row.\n'),
  ];
  const { records } = await collect(notionImporter, files);
  expect(records.notes?.map(({ title, database, text }) => [title, database, text])).toEqual([
    ['Bake', 'Tasks', undefined],
    ['Plan', 'Tasks', undefined],
    ['Plan', undefined, 'A page of this name that is no row.'],
  ]);
});

it('ignores other Markdown and HTML', async () => {
  const files = [
    makeInputFile('notes/Plan 12.md', '# Plan\n\nStatus: open\n'),
    makeInputFile('page.html', '<html><body><article class="page">x</article></body></html>'),
  ];
  expect(await notionImporter.recognise(files)).toEqual([]);
});

const SAMPLES = fileURLToPath(new URL('../../../../shared/samples-2/notion/', import.meta.url));

it.skipIf(!existsSync(SAMPLES))('reads an export of another program whole', async () => {
  const files = readInputFolder(SAMPLES);
  const { found, leftovers } = await recogniseInputs(importers, files);
  expect([found.map(({ importer }) => importer.format), leftovers]).toEqual([['notion'], []]);
  const read = await collect(notionImporter, files);
  await checkRecords(notionImporter, read);
  expect(read.problems).toEqual([]);
  expect(read.records.notes?.map(({ title, created_at }) => [title, created_at]).sort()).toEqual([
    ['Gift Tracker', undefined],
    ['Weekly notes', '2026-02-09T08:00:00Z'],
  ]);
});
