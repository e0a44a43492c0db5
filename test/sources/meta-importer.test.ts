import { describe, expect, it, onTestFinished } from 'vitest';
import { createKeyMaker, makeContentKey } from '../../src/import/make-key.ts';
import type { StreamDeclaration } from '../../src/schema-index/declaration.ts';
import { declareMeta } from '../../src/sources/meta/meta-declaration.ts';
import { facebookImporter, instagramImporter } from '../../src/sources/meta/meta-importer.ts';
import { messageIdentity } from '../../src/sources/meta/meta-thread.ts';
import { openScratch } from '../../src/store/sqlite/scratch.ts';
import { makeInputFile, readInputFolder } from '../support/input-file.ts';
import { fixture, importAll } from './import-export.ts';

describe('Instagram', () => {
  it('reads chats in several files, posts, comments, likes and people', async () => {
    const result = await importAll(instagramImporter, fixture('instagram'));
    expect(result.counts).toEqual({ messages: 3, chats: 1, posts: 3, comments: 1, likes: 1, people: 2 });
    expect(result.accounts).toEqual(['anna.b']);
    expect(result.self).toEqual(['Anna', 'anna.b']);
    expect(result.problems).toEqual([]);
    expect(result.records.chats).toMatchInlineSnapshot(`
      [
        {
          "first_at": "2023-11-14T22:13:20Z",
          "id": "bo_123",
          "is_group": false,
          "last_at": "2026-01-05T10:01:00Z",
          "message_count": 3,
          "name": "Björn",
          "participants": [
            "Anna",
            "Björn",
          ],
        },
      ]
    `);
    expect(result.records.messages?.[0]).toMatchInlineSnapshot(`
      {
        "chat": "Björn",
        "chat_id": "bo_123",
        "from_me": false,
        "kind": "message",
        "reacted_by": [
          "Anna",
        ],
        "reactions": [
          "❤",
        ],
        "sender": "Björn",
        "sent_at": "2026-01-05T10:01:00Z",
        "text": "Schön 😊",
      }
    `);
    expect(result.records.posts?.map(({ kind, text, media }) => [kind, text, media])).toMatchInlineSnapshot(`
      [
        [
          "post",
          "Café",
          [
            "media/posts/1.jpg",
          ],
        ],
        [
          "post",
          "Two",
          [
            "a.jpg",
            "b.jpg",
          ],
        ],
        [
          "story",
          "Sun",
          [
            "media/stories/1.mp4",
          ],
        ],
      ]
    `);
    expect(result.records.comments).toMatchInlineSnapshot(`
      [
        {
          "created_at": "2026-01-05T10:03:20Z",
          "owner": "bo",
          "text": "Lovely",
        },
      ]
    `);
    expect(result.records.people?.map(({ kind, name }) => [kind, name])).toEqual([
      ['follower', 'bo'],
      ['following', 'carla'],
    ]);
  });

  it('reads exports from before 2020', async () => {
    const files = readInputFolder('test/sources/fixtures/instagram/before-2020');
    const { counts, records, self, problems, notes } = await importAll(instagramImporter, files);
    expect(counts).toEqual({
      chats: 2,
      comments: 2,
      likes: 4,
      messages: 3,
      people: 2,
      posts: 2,
      searches: 1,
    });
    expect(records.messages).toMatchObject([
      { chat: 'bo_k', from_me: false, text: 'Meet at the old harbour?', reactions: ['❤'] },
      { chat: 'bo_k', from_me: true, text: 'Look at this', link: 'https://example.org/y.jpg' },
      { chat: 'cleo', sent_at: '2020-02-02T10:00:00.123Z' },
    ]);
    expect(records.comments?.[1]).toMatchObject({ text: '@cleo soon', created_at: '2019-01-01T09:00:00Z' });
    expect(self).toEqual(['Anna Moor', 'anna_moor']);
    expect(problems).toEqual([]);
    expect(notes).toHaveLength(1);
  });

  it('reads files under other names', async () => {
    const files = fixture('instagram');
    const renamed = await Promise.all(
      files.map(async (file, index) => makeInputFile(`${index}.txt`, await file.head())),
    );
    const { counts } = await importAll(instagramImporter, renamed);
    expect(counts).toEqual({ messages: 3, chats: 1, posts: 3, comments: 1, likes: 1, people: 2 });
  });
});

describe('Facebook', () => {
  it('reads its chats, also encrypted ones, posts, comments, reactions and friends', async () => {
    const result = await importAll(facebookImporter, fixture('facebook'));
    expect(result.counts).toEqual({ messages: 3, chats: 2, posts: 1, comments: 1, likes: 1, people: 1 });
    expect(result.accounts).toEqual(['Anna Berg']);
    expect(result.problems).toEqual([]);
    expect(
      result.records.messages?.map(({ chat, sender, text, from_me }) => [chat, sender, text, from_me]),
    ).toMatchInlineSnapshot(`
      [
        [
          "Dora",
          "Dora",
          "Ciao café",
          false,
        ],
        [
          "Carla",
          "Anna Berg",
          "Hi",
          true,
        ],
        [
          "Carla",
          "Carla",
          "called",
          false,
        ],
      ]
    `);
    expect(result.records.posts?.[0]).toMatchInlineSnapshot(`
      {
        "created_at": "2026-01-05T10:00:00Z",
        "kind": "post",
        "links": [
          "https://example.org/a",
        ],
        "place": "Harbour",
        "text": "Grüße",
        "title": "Anna Berg shared a link.",
      }
    `);
  });

  it('recognises only the files of each service', async () => {
    expect(await facebookImporter.recognise(fixture('instagram'))).toEqual([]);
    expect(await instagramImporter.recognise(fixture('facebook'))).toEqual([]);
    for (const text of [
      '[{"timestamp": 1, "name": "x"}]',
      '{"messages": [{"from": "a", "date": "b"}]}',
      '[{"title": "a", "time": "b"}]',
    ])
      for (const importer of [facebookImporter, instagramImporter])
        expect(await importer.recognise([makeInputFile('posts/comments.json', text)])).toEqual([]);
  });
});

describe('Facebook messages with more than text', () => {
  const file = (path: string, value: unknown) =>
    makeInputFile(`your_facebook_activity/messages/${path}`, JSON.stringify(value));

  it('marks unsent messages and missed calls, and lists reactions', async () => {
    const { records } = await importAll(facebookImporter, [
      file('alice_1.json', {
        participants: ['Anna', 'Alice'],
        threadName: 'Alice_1',
        messages: [
          { senderName: 'Anna', text: 'oops', timestamp: 1600000180000, type: 'Generic', isUnsent: true },
          {
            senderName: 'Alice',
            text: 'caf\u00c3\u00a9?',
            timestamp: 1600000060000,
            isUnsent: false,
            reactions: [
              { actor: 'Anna', reaction: '\u00e2\u009d\u00a4' },
              { actor: 'Zo\u00c3\u00ab', reaction: '\u00f0\u009f\u0098\u0082' },
            ],
          },
        ],
      }),
      file('inbox/sam_1/message_1.json', {
        participants: [{ name: 'Anna' }, { name: 'Sam' }],
        title: 'Sam',
        messages: [
          { sender_name: 'Sam', timestamp_ms: 1600000300000, type: 'Call', call_duration: 0, missed: true },
          { sender_name: 'Anna', timestamp_ms: 1600000400000, type: 'Call', call_duration: 192 },
          { sender_name: 'Sam', timestamp_ms: 1600000500000, type: 'Generic', is_unsent: true },
          { sender_name: 'Sam', timestamp_ms: 1600000600000, type: 'Unsubscribe', content: 'Sam left' },
        ],
      }),
    ]);
    const shown = records.messages?.map(({ chat, chat_id, from_me, sent_at, id, ...message }) => message);
    expect(shown).toEqual([
      { sender: 'Anna', text: 'oops', kind: 'message', is_unsent: true },
      {
        sender: 'Alice',
        text: 'café?',
        kind: 'message',
        reactions: ['❤', '😂'],
        reacted_by: ['Anna', 'Zoë'],
      },
      { sender: 'Sam', text: 'Missed call', kind: 'call', call_seconds: 0, is_missed: true },
      { sender: 'Anna', text: 'Call', kind: 'call', call_seconds: 192 },
      { sender: 'Sam', kind: 'message', is_unsent: true },
      { sender: 'Sam', text: 'Sam left', kind: 'system' },
    ]);
  });

  it('keeps the key of a call without text', () => {
    const call = { chat_id: 'sam_1', sender: 'Sam', sent_at: '2020-09-13T12:31:40Z' };
    const scratch = openScratch();
    onTestFinished(() => scratch.close());
    const [, messages] = declareMeta('facebook', 'Facebook').streams;
    const before: Record<string, unknown> = { ...call };
    createKeyMaker(scratch, { messages: messageIdentity })(messages as StreamDeclaration, before, 'x.json');
    expect(makeContentKey('messages', call, messageIdentity)).toBe(before.id);
  });
});
