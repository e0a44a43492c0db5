import { describe, expect, it } from 'vitest';
import type { Importer } from '../../src/import/importer.ts';
import { readingListImporters } from '../../src/sources/reading-list/reading-list-importers.ts';
import { collect, readInputFolder } from '../support/input-file.ts';

const get = (format: string) => readingListImporters.find((one) => one.format === format) as Importer;
const read = (format: string, name: string) =>
  collect(get(format), readInputFolder(`test/sources/fixtures/${format}/${name}`));

describe('lists of saved pages', () => {
  it('reads the CSV of Pocket, with tags, state and time', async () => {
    const { records, problems } = await read('pocket', 'csv');
    expect(problems).toEqual([]);
    expect(records.bookmarks).toHaveLength(3);
    expect(records.bookmarks?.[0]).toEqual({
      title: 'Bread, slowly',
      url: 'https://bread.example/slow?x=1',
      host: 'bread.example',
      tags: ['baking', 'food'],
      state: 'unread',
      added_at: '2020-09-17T06:06:28Z',
    });
  });

  it('reads Pocket highlights', async () => {
    const { records } = await read('pocket', 'marked');
    expect(records.highlights?.map(({ text, title }) => [text, title])).toEqual([
      ['Time does the work.', 'Bread, slowly'],
      ['Salt last.', 'Bread, slowly'],
    ]);
  });

  it('reads Raindrop.io with notes and highlights', async () => {
    const { records } = await read('raindrop', 'backup');
    expect(records.bookmarks?.[0]).toMatchObject({
      id: '101',
      folder: 'Desk / Work',
      tags: ['desk', 'sound'],
      note: 'Ask Bo',
      is_favorite: true,
      added_at: '2024-03-02T09:10:11Z',
    });
    expect(records.highlights?.map(({ text, note }) => [text, note])).toEqual([
      ['The quietest was also the cheapest.', 'buy two'],
      ['Foam helps.', undefined],
    ]);
  });

  it('reads Readwise, highlights and the library of Reader', async () => {
    const { records } = await read('readwise', 'highlights');
    expect(records.highlights?.[0]).toEqual({
      text: 'We read, therefore we forget.',
      note: 'true?',
      title: 'On Reading',
      author: 'Ana Reis',
      color: 'yellow',
      tags: ['memory', 'quotes'],
      location: 'location 1204',
      highlighted_at: '2023-05-06T07:08:09Z',
    });
    const { records: library } = await read('readwise', 'reader');
    expect(library.bookmarks?.[0]).toMatchObject({
      state: 'later',
      progress: 0.25,
      tags: ['essay', 'later'],
    });
  });

  it.each([
    ['instapaper', { title: 'Rain in March', folder: 'Unread', tags: ['weather', 'home'] }],
    ['omnivore', { id: '20db074a', state: 'Archived', progress: 0.333, tags: ['RSS'] }],
    ['wallabag', { id: '33', state: 'archived', author: 'Kim', added_at: '2016-09-08T09:55:58Z' }],
    [
      'pinboard',
      { id: '9c1', title: 'How to brew', note: 'for Ana', state: 'unread', tags: ['tea', 'kitchen'] },
    ],
  ])('reads %s', async (format, first) => {
    const { records, problems } = await read(format, 'export');
    expect(problems).toEqual([]);
    expect(records.bookmarks?.[0]).toMatchObject(first);
  });
});
