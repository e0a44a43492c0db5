import { describe, expect, it } from 'vitest';
import { spotifyImporter } from '../../src/sources/spotify/spotify-importer.ts';
import { collect, makeInputFile, readInputFolder } from '../support/input-file.ts';

const read = (...names: string[]) =>
  collect(
    spotifyImporter,
    names.flatMap((name) => readInputFolder(`test/sources/fixtures/spotify/${name}`)),
  );

describe('Spotify', () => {
  it('reads plays of tracks, episodes and audiobooks from the extended history', async () => {
    const { records, problems, self } = await read('extended');
    expect(records.plays).toHaveLength(4);
    expect(records.plays?.[0]).toMatchInlineSnapshot(`
      {
        "album": "Nachts",
        "artist": "Die Probe",
        "country": "DE",
        "device": "phone",
        "is_incognito": false,
        "is_offline": false,
        "is_shuffled": false,
        "kind": "track",
        "platform": "Android OS 10 API 29 (HUAWEI)",
        "played_at": "2024-03-01T20:15:30Z",
        "played_ms": 183000,
        "reason_end": "trackdone",
        "reason_start": "clickrow",
        "title": "Über den Dächern",
        "track_id": "1abc",
      }
    `);
    expect(
      records.plays?.slice(1).map(({ kind, title, show, track_id }) => [kind, title, show, track_id]),
    ).toEqual([
      ['episode', 'Folge 12', 'Am Abend', '9xyz'],
      ['audiobook', 'Chapter 1', 'Emma', 'c1'],
      ['audiobook', 'Chapter 1', 'Emma', 'c1'],
    ]);
    expect(problems.map(({ place, reason }) => [place, reason])).toEqual([
      ['item 5', 'has no time or no name'],
      ['item 6', 'has no time or no name'],
    ]);
    expect(self).toEqual(['anna_example']);
  });

  it('does not import IP addresses', async () => {
    const { records } = await read('extended', 'account');
    expect(JSON.stringify(records)).not.toContain('192.0.2.1');
  });

  it('reads account data: plays in UTC, playlists, the library and searches', async () => {
    const { records, problems, self } = await read('account');
    expect(problems).toEqual([]);
    expect(self).toEqual(['anna_example']);
    expect(records.plays?.map(({ played_at, title, kind }) => [played_at, title, kind])).toEqual([
      ['2024-03-01T20:15:00Z', 'Über den Dächern', 'track'],
      ['2024-03-01T21:00:00Z', 'Folge 12', 'episode'],
    ]);
    expect(records.playlists).toHaveLength(2);
    expect(records.playlist_tracks?.map(({ title, playlist_id }) => [title, playlist_id])).toEqual([
      ['One', records.playlists?.[0]?.id],
      ['Two More', records.playlists?.[0]?.id],
    ]);
    expect(records.library?.map(({ kind, title }) => [kind, title])).toEqual([
      ['tracks', 'One'],
      ['albums', 'X'],
      ['shows', 'Am Abend'],
      ['artists', 'A'],
    ]);
    expect(records.searches?.[0]).toEqual({
      query: 'sea shanties',
      searched_at: '2024-03-05T10:11:12.131Z',
      platform: 'IPHONE',
    });
  });

  it('imports no play twice if both histories are present, and reports it', async () => {
    const { records, problems } = await read('extended', 'account');
    expect(records.plays).toHaveLength(4);
    expect(problems.map(({ path, reason }) => [path, reason])).toContainEqual([
      'music.json',
      'was skipped: the extended history has the same plays',
    ]);
  });

  it('ignores other JSON', async () => {
    const others = [
      '[{"time":"2024-01-01","title":"x"}]',
      '{"playlists":[]}',
      '[]',
      '{"tracks":[],"albums":[]}',
    ];
    const files = others.map((text, index) => makeInputFile(`${index}.json`, text));
    expect(await spotifyImporter.recognise(files)).toEqual([]);
  });
});
