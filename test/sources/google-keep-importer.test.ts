import { describe, expect, it } from 'vitest';
import { googleKeepImporter } from '../../src/sources/google-keep/google-keep-importer.ts';
import { countRecords, pickRecord, readFixture } from './count-records.ts';

describe('notes of Google Keep', async () => {
  const found = await readFixture(googleKeepImporter, 'takeout');

  it('have one record per file, and a broken file is reported', () => {
    expect(countRecords(found)).toEqual({ notes: 2 });
    expect(found.problems).toEqual([
      { path: 'Takeout/Keep/Broken.json', place: undefined, reason: 'is not valid JSON' },
    ]);
  });

  it('contain their list items as text', () => {
    expect(pickRecord(found, 'notes', 1)).toMatchInlineSnapshot(`
      {
        "attachments": [
          "a.png",
        ],
        "color": "red",
        "created_at": "2023-07-26T11:58:12.755Z",
        "done_items": 1,
        "edited_at": "2023-08-01T05:05:08.447Z",
        "id": "1690372692755000",
        "is_archived": false,
        "is_pinned": true,
        "is_trashed": false,
        "labels": [
          "Home",
        ],
        "links": [
          "https://example.org/",
        ],
        "open_items": 1,
        "shared_with": [
          "bo@example.org",
        ],
        "text": "[x] Milk
      [ ] Bread",
        "title": "Shopping",
      }
    `);
  });

  it('without a creation time are identified by their file', () => {
    expect(found.records.notes?.[0]?.id).toBe('2017-03-30T09_31_48.447Z');
  });
});
