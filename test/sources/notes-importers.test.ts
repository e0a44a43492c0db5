import { describe, expect, it } from 'vitest';
import { recogniseInputs } from '../../src/import/recognise.ts';
import { appleNotesImporter, readAppleNoteBody } from '../../src/sources/apple-notes/apple-notes-importer.ts';
import { bearImporter } from '../../src/sources/bear/bear-importer.ts';
import { importers } from '../../src/sources/importers.ts';
import { readInputFolder } from '../support/input-file.ts';
import { readFixture } from './count-records.ts';
import { packNote } from './notes/make-note-database.ts';

const recognise = async (folder: string) => {
  const files = readInputFolder(new URL(`./fixtures/${folder}`, import.meta.url).pathname);
  const { found, leftovers } = await recogniseInputs(importers, files);
  return {
    formats: found.map(({ importer }) => importer.format),
    leftovers: leftovers.map(({ path }) => path),
  };
};

describe('the database of Apple Notes', async () => {
  const found = await readFixture(appleNotesImporter, 'store');

  it('reads notes with text, folder, files and dates', () => {
    expect(found.records.notes).toEqual([
      {
        id: 'N-1',
        title: 'Bread',
        text: 'Bread\nFlour, water\nand salt',
        folder: 'Kitchen',
        account: 'iCloud',
        created_at: '2026-01-02T10:00:00Z',
        edited_at: '2026-03-04T11:30:00.500Z',
        is_pinned: true,
        attachments: ['loaf.jpg', 'com.apple.notes.table'],
        links: ['https://example.org/bread'],
      },
      expect.objectContaining({
        id: 'N-2',
        title: 'Safe',
        is_locked: true,
        edited_at: '2026-02-02T00:00:00Z',
      }),
      expect.objectContaining({ id: '12', title: 'Broken', text: 'its beginning' }),
    ]);
    expect(found.records.notes?.[1]).not.toHaveProperty('text');
  });

  it('reports what is not imported', () => {
    expect(found.problems).toEqual([
      { path: 'NoteStore.sqlite', place: 'note 12', reason: 'has unreadable text' },
    ]);
    expect(found.notes).toEqual([
      '1 notes are locked; their text was not imported',
      '1 tables inside notes were not imported',
    ]);
  });

  it('ignores other databases', async () => {
    expect((await recognise('apple-notes/store')).formats).toEqual(['apple-notes']);
  });
});

describe('the packed text of a note', () => {
  it.each(['', 'One line', `${'long '.repeat(100_000)}end`, 'Zoë 🍞'])('is read whole: %.20s', (text) => {
    expect(readAppleNoteBody(packNote(text))?.text).toBe(text);
  });

  it('is undefined if truncated or of another format', () => {
    const packed = packNote('One line');
    for (let length = 0; length < packed.length; length++)
      expect(readAppleNoteBody(packed.subarray(0, length))).toBeUndefined();
    expect(readAppleNoteBody(Buffer.from('words'))).toBeUndefined();
  });
});

describe('a backup of Bear', async () => {
  const found = await readFixture(bearImporter, 'backup');

  it('reads notes with dates, tags and files', () => {
    expect(found.records.notes).toEqual([
      {
        id: 'B-1',
        title: 'Bread',
        text: expect.stringContaining('Flour, water and salt.'),
        tags: ['slow food', 'kitchen'],
        created_at: '2026-01-02T10:00:00Z',
        edited_at: '2026-03-04T11:30:00Z',
        is_pinned: true,
        attachments: ['loaf.jpg'],
        links: ['https://example.org/bread'],
      },
      {
        id: 'B-2',
        title: 'Safe',
        tags: ['private'],
        created_at: '2026-02-01T00:00:00Z',
        edited_at: '2026-02-02T00:00:00Z',
        is_trashed: true,
        is_locked: true,
      },
    ]);
    expect(found.notes).toEqual(['encrypted notes have no text in a Bear backup']);
  });

  it('is one connection without its tag list', async () => {
    expect(await recognise('bear')).toEqual({
      formats: ['bear'],
      leftovers: [
        'backup/Bear Notes.bear2bk/Bread.textbundle/assets/loaf.jpg',
        'backup/Bear Notes.bear2bk/tags.json',
      ],
    });
  });
});

describe('a single note of Bear', () => {
  it('reads dates with prefixed keys', async () => {
    const { records } = await readFixture(bearImporter, 'note');
    expect(records.notes).toEqual([
      {
        id: 'B-3',
        title: 'Only a line',
        text: 'Only a line',
        created_at: '2025-12-24T10:00:00Z',
        edited_at: '2025-12-24T10:00:00Z',
      },
    ]);
  });
});
