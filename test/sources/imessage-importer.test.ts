import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createDiskFile } from '../../src/import/disk-file.ts';
import { imessageImporter, readAttributedBody } from '../../src/sources/imessage/imessage-importer.ts';
import { makeInputFile } from '../support/input-file.ts';
import { makeFolder } from '../support/temp-folder.ts';
import { fixture, importAll } from './import-export.ts';
import { makeChatDatabase } from './make-chat-database.ts';

describe('iMessage', () => {
  it('reads text from both columns, both kinds of times, reactions, and file names', async () => {
    const result = await importAll(imessageImporter, fixture('imessage'));
    expect(result.counts).toEqual({ messages: 7, chats: 3 });
    expect(result.self).toEqual(['anna@example.org']);
    expect(result.problems).toEqual([]);
    expect(
      result.records.messages?.map(({ id, sent_at, sender, kind, text }) => [
        id,
        sent_at,
        sender,
        kind,
        String(text).slice(0, 24),
      ]),
    ).toMatchInlineSnapshot(`
      [
        [
          "G1",
          "2026-01-05T10:00:00Z",
          "+491510000000",
          "message",
          "Are you there?",
        ],
        [
          "G2",
          "2026-01-05T10:01:00Z",
          "Me",
          "message",
          "Grüße 👋",
        ],
        [
          "G3",
          "2026-01-05T10:02:00Z",
          "+491510000000",
          "message",
          "xxxxxxxxxxxxxxxxxxxxxxxx",
        ],
        [
          "G4",
          "2026-01-05T10:03:00Z",
          "carla@example.org",
          "message",
          "undefined",
        ],
        [
          "G5",
          "2026-01-05T10:00:00Z",
          "Me",
          "reaction",
          "Loved “Are you there?”",
        ],
        [
          "G6",
          "2026-01-05T10:00:00Z",
          "carla@example.org",
          "system",
          "Trip",
        ],
        [
          "G7",
          undefined,
          "carla@example.org",
          "message",
          "In no chat",
        ],
      ]
    `);
    expect(result.records.messages?.[1]).toMatchInlineSnapshot(`
      {
        "chat": "+491510000000",
        "chat_id": "iMessage;-;+491510000000",
        "from_me": true,
        "id": "G2",
        "kind": "message",
        "reply_to_id": "G1",
        "sender": "Me",
        "sent_at": "2026-01-05T10:01:00Z",
        "service": "iMessage",
        "text": "Grüße 👋",
      }
    `);
    expect(result.records.messages?.[2]?.text).toHaveLength(300);
    expect(result.records.messages?.[3]).toMatchObject({
      attachments: ['cat.heic'],
      attachment_types: ['image/heic'],
    });
    expect(result.records.messages?.[4]).toMatchObject({ reaction_to_id: 'G1', from_me: true });
    expect(result.records.chats?.map(({ name, is_group }) => [name, is_group])).toEqual([
      ['+491510000000', false],
      ['Trip', true],
      ['carla@example.org', false],
    ]);
  });

  it('has a fixture made by the code beside it', async () => {
    const path = join(makeFolder(), 'renamed.bin');
    makeChatDatabase(path);
    const made = await importAll(imessageImporter, [createDiskFile(path, 'renamed.bin')]);
    expect(made.records).toEqual((await importAll(imessageImporter, fixture('imessage'))).records);
  });

  it('ignores other files, also damaged databases', async () => {
    for (const text of ['', 'SQLite format 3\0', '{}'])
      expect(await imessageImporter.recognise([makeInputFile('chat.db', text)])).toEqual([]);
    for (const body of [
      '',
      'NSString',
      'NSString\x01\x94\x84\x01+\x81',
      'NSString\x01\x94\x84\x01+\x7fshort',
    ])
      expect(readAttributedBody(Buffer.from(body, 'latin1'))).toBeUndefined();
  });
});
