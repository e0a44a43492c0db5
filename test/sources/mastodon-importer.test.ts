import { describe, expect, it } from 'vitest';
import { mastodonImporter } from '../../src/sources/mastodon/mastodon-importer.ts';
import { collect, makeInputFile, readInputFolder } from '../support/input-file.ts';

const FOLDER = 'test/sources/fixtures/mastodon/archive';
const read = () => collect(mastodonImporter, readInputFolder(FOLDER));

describe('Mastodon', () => {
  it('reads posts with their warnings, media descriptions, tags and counts', async () => {
    const { recognised, records, problems, self } = await read();
    expect(problems).toEqual([]);
    expect(recognised.map(({ account, files }) => [account, files.length])).toEqual([
      ['anna@mastodon.example', 4],
    ]);
    expect(self).toEqual(['anna@mastodon.example']);
    expect(records.posts).toEqual([
      {
        id: 'https://mastodon.example/users/anna/statuses/1',
        text: 'First swim of the year #swim\nBrr & bliss\n\nhttps://example.org/tides',
        content_warning: 'Cold water',
        created_at: '2023-01-05T10:00:00Z',
        edited_at: '2023-01-05T10:05:00Z',
        language: 'en',
        is_reply: false,
        is_sensitive: true,
        hashtags: ['swim'],
        media: ['/media_attachments/files/1/original/a.jpg'],
        media_descriptions: ['A grey pier at dawn'],
        url: 'https://mastodon.example/@anna/1',
        visibility: 'public',
        like_count: 4,
        boost_count: 2,
      },
      expect.objectContaining({
        text: 'What to bring?',
        visibility: 'followers',
        poll_options: ['Tea (3)', 'Cake (1)'],
      }),
    ]);
  });

  it('keeps direct messages apart from posts', async () => {
    const { records } = await read();
    expect(records.direct_messages).toEqual([
      expect.objectContaining({
        text: '@bo the key is under the mat',
        mentions: ['bo@social.example', 'cleo@mastodon.example'],
        is_reply: true,
        reply_to_id: 'https://social.example/users/bo/statuses/77',
      }),
    ]);
  });

  it('reads boosts, likes, bookmarks and the profile, and counts skipped activities', async () => {
    const { records, notes } = await read();
    expect(records.boosts).toEqual([
      {
        id: 'https://mastodon.example/users/anna/statuses/4/activity',
        url: 'https://social.example/users/bo/statuses/88',
        author: 'bo@social.example',
        created_at: '2023-02-07T10:00:00Z',
      },
    ]);
    expect(records.likes?.map(({ kind, author, url }) => [kind, author ?? url])).toEqual([
      ['bookmark', 'bo@social.example'],
      ['like', 'bo@social.example'],
      ['like', 'https://other.example/notes/9x'],
    ]);
    expect(records.account).toMatchObject([
      { handle: 'anna@mastodon.example', text: 'Sea & tea', fields: ['Home: example.org'] },
    ]);
    expect(notes).toEqual(['activities not imported: Move (1)']);
  });

  it('marks a post as unlisted if it is public only in cc', async () => {
    const item = {
      type: 'Create',
      actor: 'https://mastodon.example/users/anna',
      object: {
        id: 'https://mastodon.example/1',
        to: 'https://mastodon.example/users/anna/followers',
        cc: 'as:Public',
      },
    };
    const outbox = JSON.stringify({ type: 'OrderedCollection', orderedItems: [item] });
    const { records } = await collect(mastodonImporter, [makeInputFile('outbox.json', outbox)]);
    expect(records.posts).toMatchObject([{ visibility: 'unlisted' }]);
  });
});
