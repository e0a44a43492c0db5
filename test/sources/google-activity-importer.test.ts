import { describe, expect, it } from 'vitest';
import { googleActivityImporter } from '../../src/sources/google-activity/google-activity-importer.ts';
import { collect, makeInputFile } from '../support/input-file.ts';
import { countRecords, pickRecord, readFixture } from './count-records.ts';

describe('Google activity as JSON', async () => {
  const found = await readFixture(googleActivityImporter, 'json');

  it('separates played videos from other activity', () => {
    expect(countRecords(found)).toEqual({ watch_history: 3, activity: 4 });
    expect(found.problems).toEqual([
      { path: 'MyActivity.json', place: 'entry 8', reason: 'is not an activity entry' },
    ]);
    expect(pickRecord(found, 'watch_history', 0)).toMatchInlineSnapshot(`
      {
        "channel": "Baker",
        "channel_url": "https://www.youtube.com/channel/UC1",
        "id": "4bRjca20vZBYtCNGHFMWxs",
        "product": "YouTube",
        "title": "How to bake bread",
        "url": "https://www.youtube.com/watch?v=abc123",
        "video_id": "abc123",
        "watched_at": "2024-06-05T13:45:22.123Z",
      }
    `);
  });

  it('recognises a video by its URL or the words around its title, in any language', () => {
    expect(found.records.watch_history?.map(({ title, is_ad }) => [title, is_ad])).toEqual([
      ['How to bake bread', undefined],
      ['Se ha visto un anuncio', true],
      ['Un video rimosso', undefined],
    ]);
  });

  it('finds the query in the URL of a search', () => {
    expect(found.records.activity?.map(({ query }) => query)).toEqual([
      'sour dough',
      '"brot"',
      undefined,
      undefined,
    ]);
  });

  it('keeps answers of an assistant', () => {
    expect(pickRecord(found, 'activity', 2)).toMatchInlineSnapshot(`
      {
        "id": "HBwdKakEIFjbnX0lkKrP1p",
        "occurred_at": "2024-06-05T13:30:00Z",
        "product": "Gemini Apps",
        "response": "A grain.",
        "title": "Prompted what is rye",
      }
    `);
  });
});

describe('Google activity as pages', async () => {
  const found = await readFixture(googleActivityImporter, 'html');

  it('is read like JSON, with times in other languages', () => {
    expect(countRecords(found)).toEqual({ watch_history: 1, activity: 1 });
    expect(pickRecord(found, 'watch_history', 0)).toMatchInlineSnapshot(`
      {
        "channel": "Bäckerin",
        "channel_url": "https://www.youtube.com/channel/UC2",
        "id": "SkXKrk2aV42Z7kbapq63mo",
        "is_ad": true,
        "product": "YouTube",
        "title": "Brot & Butter",
        "url": "https://www.youtube.com/watch?v=xyz789",
        "video_id": "xyz789",
        "watched_at": "2024-06-05T13:45:22Z",
      }
    `);
    expect(pickRecord(found, 'activity', 0)).toMatchInlineSnapshot(`
      {
        "id": "Oshdq_1-mdovx-EbGTJ5vX",
        "occurred_at": "2024-06-05T06:15:00Z",
        "product": "Search",
        "query": "rye bread",
        "title": "Searched for rye bread",
        "url": "https://www.google.com/search?q=rye+bread",
      }
    `);
  });
});

describe('tables of YouTube', async () => {
  const found = await readFixture(googleActivityImporter, 'youtube');

  it('are recognised by content, whatever their columns are called', () => {
    expect(countRecords(found)).toEqual({ subscriptions: 2, comments: 2, playlists: 2, playlist_videos: 3 });
    expect(found.problems).toEqual([]);
    expect(found.records.subscriptions?.[1]).toMatchObject({ title: 'Bread, daily' });
    expect(found.records.comments).toMatchObject([
      { text: 'What a bright lamp', video_id: 'abc123DEF_x', commented_at: '2024-04-03T10:00:00.123Z' },
      { text: 'Thanks', parent_id: 'UgxAbcdefghijklmnop' },
    ]);
    expect(found.records.playlists?.map(({ title }) => title).sort()).toEqual(['Favorites', 'Songs']);
    expect(found.records.playlist_videos?.map(({ playlist }) => playlist).sort()).toEqual([
      'Favorites',
      'Später ansehen',
      'Später ansehen',
    ]);
  });
});

describe('files attached to a prompt for Gemini', () => {
  const base = { header: 'Gemini Apps', title: 'Prompted What is this?', products: ['Gemini Apps'] };
  const read = async (path: string, text: string) => {
    const { records } = await collect(googleActivityImporter, [makeInputFile(path, text)]);
    return records.activity?.map(({ title, files }) => [title, files]);
  };

  it('are named, in every format of Takeout', async () => {
    const entries = [
      { attachedFiles: ['report.pdf', 'photo%201.png'] },
      { attachedFiles: [{ name: 'notes.txt' }, { fileName: 'plan.docx' }] },
      { imageFile: 'photo.png', audioFiles: ['voice.ogg'] },
      {
        subtitles: [
          { name: 'Attached 2 files.' },
          { name: '-  a.pdf', url: 'a-1f2e.pdf' },
          { name: 'A page', url: 'https://example.org/b.pdf' },
        ],
      },
      {},
    ].map((entry, second) => ({ ...base, ...entry, time: `2026-01-02T03:04:0${second}.678Z` }));
    expect(await read('Takeout/My Activity/Gemini Apps/MyActivity.json', JSON.stringify(entries))).toEqual([
      [base.title, ['report.pdf', 'photo 1.png']],
      [base.title, ['notes.txt', 'plan.docx']],
      [base.title, ['photo.png', 'voice.ogg']],
      [base.title, ['a-1f2e.pdf']],
      [base.title, undefined],
    ]);
  });

  it('are named on pages too', async () => {
    const page = `<html><head><style>.mdl-grid{}</style></head><body><div class="outer-cell mdl-cell">
      <div class="header-cell mdl-cell"><p>Gemini Apps<br></p></div>
      <div class="content-cell mdl-cell mdl-typography--body-1">Prompted What is this?<br>Attached 1 file.<br>-&nbsp;&nbsp;<a href="scan-12.pdf">scan.pdf</a><br>Jan 2, 2026, 3:04:05 AM UTC<br></div>
      </div></body></html>`;
    expect(await read('MyActivity.html', page)).toEqual([['Prompted What is this?', ['scan-12.pdf']]]);
  });
});
