import { describe, expect, it } from 'vitest';
import type { Importer } from '../../src/import/importer.ts';
import { githubImporter } from '../../src/sources/github/github-importer.ts';
import { goodreadsImporter } from '../../src/sources/goodreads/goodreads-importer.ts';
import { googleKeepImporter } from '../../src/sources/google-keep/google-keep-importer.ts';
import { slackImporter } from '../../src/sources/slack/slack-importer.ts';
import { spotifyImporter } from '../../src/sources/spotify/spotify-importer.ts';
import { booleanOf, flagOf, integerOf, roundedOf, stringOf, textOf } from '../../src/sources/values/json.ts';
import { collect, makeInputFile } from '../support/input-file.ts';

const read = async (importer: Importer, files: Record<string, unknown>) =>
  (
    await collect(
      importer,
      Object.entries(files).map(([path, content]) =>
        makeInputFile(path, typeof content === 'string' ? content : JSON.stringify(content)),
      ),
    )
  ).records;

describe('values of an unexpected type', () => {
  it('are converted by the loose functions and left out by the strict ones', () => {
    expect([61.7, -61.7, '61.7', 'x', null].map(integerOf)).toEqual([61, -61, 61, undefined, undefined]);
    expect([61.7, '61.2', 'x'].map(roundedOf)).toEqual([62, 61, undefined]);
    expect([5, 'a', ' ', true].map(textOf)).toEqual(['5', 'a', undefined, undefined]);
    expect([5, 'a', ' ', true].map(stringOf)).toEqual([undefined, 'a', undefined, undefined]);
    expect([true, 'True', 'false', 1].map(flagOf)).toEqual([true, true, false, undefined]);
    expect([true, 'True', 'false', 1].map(booleanOf)).toEqual([true, undefined, undefined, undefined]);
  });

  it('lose their fraction in Slack', async () => {
    const message = { type: 'message', user: 'U1', text: 'hi', ts: '1700000000.000100', reply_count: 2.7 };
    const records = await read(slackImporter, {
      'channels.json': [{ id: 'C1', name: 'all', members: ['U1'] }],
      'users.json': [{ id: 'U1', team_id: 'T1', name: 'anna', profile: {} }],
      'all/2023-11-14.json': [message],
    });
    expect(records.messages?.[0]).toMatchObject({ text: 'hi', reply_count: 2 });
  });

  it('are left out of GitHub records, except for numbers as ids', async () => {
    const release = {
      ...{ id: 17, tag_name: 'v1', name: 5, body: 6, assets: [], published_at: '2024-01-02T03:04:05Z' },
      html_url: 'https://github.com/anna/tool/releases/tag/v1',
    };
    const repository = {
      ...{ full_name: 'anna/tool', name: 'tool', created_at: '2024-01-02T03:04:05Z', description: 7 },
      ...{ stargazers_count: '1,234', forks_count: '1e3', fork: 'true', topics: ['a', 1] },
      html_url: 'https://github.com/anna/tool',
    };
    const records = await read(githubImporter, { 'all.json': [release, repository] });
    expect(records.releases?.[0]).toMatchObject({ id: '17', name: 'v1' });
    expect(records.releases?.[0]).not.toHaveProperty('body');
    expect(records.repositories?.[0]).toMatchObject({ forks: 1000, topics: ['a'] });
    for (const name of ['description', 'stars', 'is_fork'])
      expect(records.repositories?.[0]).not.toHaveProperty(name);
  });

  it('are left out of Spotify plays', async () => {
    const play = {
      ...{ ts: '2024-01-02T03:04:05Z', platform: 1, ms_played: 1500.5, conn_country: 'DE', ip_addr: '' },
      ...{ master_metadata_track_name: 99, master_metadata_album_artist_name: 'Luft', shuffle: 'true' },
      spotify_track_uri: 'spotify:track:1',
    };
    const records = await read(spotifyImporter, { 'Streaming_History_Audio_2024.json': [play] });
    expect(records.plays).toEqual([
      {
        kind: 'track',
        artist: 'Luft',
        track_id: '1',
        played_at: '2024-01-02T03:04:05Z',
        played_ms: 1501,
        country: 'DE',
      },
    ]);
  });

  it('are left out of Google Keep notes', async () => {
    const note = {
      ...{ title: 'A', textContent: 'b', isPinned: 'true', isArchived: true, isTrashed: false },
      ...{ color: 'DEFAULT', userEditedTimestampUsec: 1_700_000_000_000_000 },
      createdTimestampUsec: 1_700_000_000_000_000,
    };
    const [found] = (await read(googleKeepImporter, { 'Takeout/Keep/A.json': note })).notes ?? [];
    expect(found).toMatchObject({ title: 'A', is_archived: true, is_trashed: false });
    expect(found?.is_pinned).toBeUndefined();
  });

  it('mean no spoiler in Goodreads', async () => {
    const csv = 'Book Id,Title,Author,My Rating,Spoiler\n1,A,B,3,true\n2,C,D,4,no\n3,E,F,5,\n';
    const records = await read(goodreadsImporter, { 'goodreads_library_export.csv': csv });
    expect(records.books?.map((book) => book.has_spoiler)).toEqual([true, false, undefined]);
  });
});
