import { describe, expect, it } from 'vitest';
import { xImporter } from '../../src/sources/x/x-importer.ts';
import { makeInputFile } from '../support/input-file.ts';
import { fixture, importAll } from './import-export.ts';

describe('X', () => {
  it('reads an archive, finds its owner, and reports skipped parts', async () => {
    const result = await importAll(xImporter, fixture('x'));
    expect(result.counts).toEqual({ account: 1, direct_messages: 1, followers: 1, likes: 1, posts: 2 });
    expect(result.accounts).toEqual(['anna']);
    expect(result.self).toEqual(['anna', '111']);
    expect(result.problems).toEqual(['data/tweets.js item 2: has no id']);
    expect(result.notes).toEqual(['parts of the archive not imported: ad_engagements']);
    expect(result.records.direct_messages?.[0]).toMatchObject({
      from_me: true,
      sent_at: '2026-01-05T10:00:00Z',
    });
    expect(result.records.posts?.find(({ id }) => id === '500')).toMatchObject({
      created_at: '2015-03-04T05:06:07Z',
    });
    expect(result.records.posts?.find(({ id }) => id !== '500')).toMatchInlineSnapshot(`
      {
        "app": "X Web App",
        "created_at": "2026-01-05T10:00:00Z",
        "hashtags": [
          "food",
        ],
        "id": "1850000000000000001",
        "is_reply": true,
        "is_repost": false,
        "language": "en",
        "like_count": 3,
        "links": [
          "https://example.org",
        ],
        "mentions": [
          "bo",
        ],
        "reply_to": "bo",
        "reply_to_id": "1850000000000000000",
        "repost_count": 0,
        "text": "Salt & pepper @bo #food https://t.co/a",
        "url": "https://x.com/i/status/1850000000000000001",
      }
    `);
  });

  it('reads an unwrapped post from a file of any name', async () => {
    const file = makeInputFile(
      'x',
      'window.YTD.tweet.part0 = [{"id_str": "7", "full_text": "flat", "favorite_count": 3}]',
    );
    expect((await importAll(xImporter, [file])).records.posts).toMatchObject([
      { id: '7', text: 'flat', like_count: 3 },
    ]);
    for (const text of ['window.data = []', 'const YTD = {}', '{"tweet": {"id_str": "7"}}'])
      expect(await xImporter.recognise([makeInputFile('tweets.js', text)])).toEqual([]);
  });

  it('imports the posts of an old archive once, though it has them as scripts and as a table', async () => {
    const { counts } = await importAll(xImporter, [
      makeInputFile(
        'tweets.csv',
        'tweet_id,in_reply_to_status_id,timestamp,source,text,retweeted_status_id\n5,,2015-03-04 05:06:07 +0000,web,Hi,\n',
      ),
      makeInputFile(
        'data/js/tweets/2015_03.js',
        'Grailbird.data.tweets_2015_03 = [{"id_str":"5","text":"Hi"}]',
      ),
    ]);
    expect(counts).toEqual({ posts: 1 });
  });
});
