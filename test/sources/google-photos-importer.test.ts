import { describe, expect, it } from 'vitest';
import { googlePhotosImporter } from '../../src/sources/google-photos/google-photos-importer.ts';
import { countRecords, pickRecord, readFixture } from './count-records.ts';

describe('sidecars of Google Photos', async () => {
  const found = await readFixture(googlePhotosImporter, 'takeout');

  it('have one record per photo, in its album', () => {
    expect(countRecords(found)).toEqual({ albums: 1, photos: 2 });
    expect(found.notes).toEqual(['1 photos are in several folders and were imported once']);
    expect(found.problems).toEqual([
      { path: 'Photos from 2023/IMG_3.jpg.json', place: undefined, reason: 'is cut off. Download it again.' },
    ]);
    expect(pickRecord(found, 'photos', 0)).toMatchInlineSnapshot(`
      {
        "album_id": "Alps",
        "altitude_meters": 2000.5,
        "description": "The hut",
        "device": "android phone",
        "id": "5Xvs8whyTfA6kdk2e5rz2a",
        "is_favorite": true,
        "latitude": 46.5,
        "longitude": 8.1,
        "people": [
          "Bo",
        ],
        "taken_at": "2023-07-22T04:35:00Z",
        "title": "IMG_1.jpg",
        "uploaded_at": "2023-07-23T08:13:20Z",
        "url": "https://photos.google.com/photo/AF1",
        "views": 12,
      }
    `);
    expect(pickRecord(found, 'albums', 0)).toMatchInlineSnapshot(`
      {
        "access": "protected",
        "created_at": "2023-07-22T04:26:40Z",
        "description": "Summer",
        "id": "Alps",
        "title": "Alps",
      }
    `);
  });
});
