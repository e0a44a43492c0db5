import { describe, expect, it } from 'vitest';
import { linkedinImporter } from '../../src/sources/linkedin/linkedin-importer.ts';
import { redditImporter } from '../../src/sources/reddit/reddit-importer.ts';
import { makeInputFile } from '../support/input-file.ts';
import { fixture, importAll } from './import-export.ts';

describe('LinkedIn', () => {
  it('reads its tables below their notes, and finds the owner in the messages', async () => {
    const result = await importAll(linkedinImporter, fixture('linkedin'));
    expect(result.counts).toEqual({
      connections: 2,
      messages: 3,
      chats: 2,
      positions: 1,
      skills: 1,
      posts: 1,
    });
    expect(result.self).toEqual(['Anna Berg']);
    expect(result.problems).toEqual([]);
    expect(result.records.connections?.[0]).toMatchInlineSnapshot(`
      {
        "company": "Harbour",
        "connected_on": "2026-01-05",
        "id": "https://www.linkedin.com/in/bo",
        "name": "Bo Lind",
        "position": "Pilot",
        "url": "https://www.linkedin.com/in/bo",
      }
    `);
    expect(result.records.messages?.[0]).toMatchInlineSnapshot(`
      {
        "chat": "Bo Lind",
        "chat_id": "2-a",
        "folder": "INBOX",
        "from_me": false,
        "recipients": "Anna Berg",
        "sender": "Bo Lind",
        "sender_url": "https://www.linkedin.com/in/bo",
        "sent_at": "2026-01-05T10:00:00Z",
        "text": "Hello,
      again",
      }
    `);
    expect(result.records.chats?.map(({ name, message_count }) => [name, message_count])).toEqual([
      ['Bo Lind', 2],
      ['Trip', 1],
    ]);
    expect(result.records.posts?.[0]).toMatchObject({ text: 'One\ntwo', created_at: '2026-01-05T10:00:00Z' });
  });

  it('ignores tables that only share common columns', async () => {
    for (const text of [
      'Date,Type,Link\n1,2,3',
      'Name\nx',
      'First Name,Last Name,Company\na,b,c',
      '{"From": 1}',
    ])
      expect(await linkedinImporter.recognise([makeInputFile('Skills.csv', text)])).toEqual([]);
  });
});

describe('Reddit', () => {
  it('reads posts, comments, saved items, votes, messages and subscriptions, without IP addresses', async () => {
    const result = await importAll(redditImporter, fixture('reddit'));
    expect(result.counts).toEqual({ posts: 1, comments: 1, saved: 3, messages: 1, subscriptions: 1 });
    expect(result.accounts).toEqual(['anna']);
    expect(result.self).toEqual(['anna']);
    expect(result.problems).toEqual([]);
    expect(JSON.stringify(result.records)).not.toContain('203.0.113.5');
    expect(result.records.posts?.[0]).toMatchInlineSnapshot(`
      {
        "created_at": "2026-01-05T10:00:00Z",
        "id": "abc",
        "link": "https://www.reddit.com/r/bread/comments/abc/first_loaf/",
        "subreddit": "bread",
        "text": "It, rose",
        "title": "First loaf",
        "url": "https://www.reddit.com/r/bread/comments/abc/first_loaf/",
      }
    `);
    expect(result.records.saved).toMatchInlineSnapshot(`
      [
        {
          "id": "vote/1",
          "kind": "up",
          "subreddit": "bread",
          "title": "great loaf",
          "url": "https://www.reddit.com/r/bread/comments/1/great_loaf/",
          "what": "post",
        },
        {
          "id": "saved/t3_1",
          "kind": "saved",
          "subreddit": "bread",
          "title": "great loaf",
          "url": "https://www.reddit.com/r/bread/comments/1/great_loaf/",
          "what": "post",
        },
        {
          "id": "saved/t1_2",
          "kind": "saved",
          "subreddit": "bread",
          "title": "great loaf",
          "url": "https://www.reddit.com/r/bread/comments/1/great_loaf/2/",
          "what": "comment",
        },
      ]
    `);
    expect(result.records.messages?.[0]).toMatchObject({ from_me: true, created_at: '2026-01-07T10:00:00Z' });
  });

  it('ignores tables with other URLs', async () => {
    for (const text of ['id,permalink\n1,https://example.org/x', 'subreddit\nx', 'id,date\n1,2'])
      expect(await redditImporter.recognise([makeInputFile('saved_posts.csv', text)])).toEqual([]);
  });
});
