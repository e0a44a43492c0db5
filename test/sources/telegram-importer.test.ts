import { describe, expect, it } from 'vitest';
import { telegramImporter } from '../../src/sources/telegram/telegram-importer.ts';
import { makeInputFile } from '../support/input-file.ts';
import { fixture, importAll } from './import-export.ts';

describe('Telegram', () => {
  it('reads a full account, also chats whose names follow their messages', async () => {
    const result = await importAll(telegramImporter, fixture('telegram'));
    expect(result.counts).toEqual({ contacts: 1, chats: 3, messages: 4 });
    expect(result.accounts).toEqual(['anna']);
    expect(result.self).toEqual(['@anna', '42']);
    expect(result.problems).toEqual([]);
    expect(result.records.chats?.map(({ id, name, message_count }) => [id, name, message_count])).toEqual([
      ['43', 'Bo', 3],
      ['42', 'Saved messages', 0],
      ['9007199254740993', 'Old club', 1],
    ]);
    expect(result.records.messages?.[0]).toMatchInlineSnapshot(`
      {
        "chat": "Bo",
        "chat_id": "43",
        "from_me": true,
        "id": "43/1",
        "kind": "message",
        "sender": "Anna",
        "sender_id": "user42",
        "sent_at": "2026-01-05T10:00:00Z",
        "text": "See https://example.org",
      }
    `);
    expect(result.records.messages?.[1]).toMatchInlineSnapshot(`
      {
        "attachments": [
          "file",
        ],
        "chat": "Bo",
        "chat_id": "43",
        "from_me": false,
        "id": "43/2",
        "kind": "message",
        "media_type": "photo",
        "reactions": [
          "👍",
        ],
        "reply_to_id": "43/1",
        "sender": "Bo",
        "sender_id": "user43",
        "sent_at": "2026-01-05T10:01:00Z",
      }
    `);
    expect(result.records.messages?.[2]).toMatchObject({
      kind: 'service',
      text: 'phone call',
      duration_seconds: 60,
    });
  });

  it('reads a single chat, and ignores other formats', async () => {
    const chat = {
      name: 'Bo',
      type: 'personal_chat',
      id: 43,
      messages: [{ id: 1, type: 'message', date: '2026-07-05T11:00:00', from: 'Bo', text: 'Hi' }],
    };
    const { records } = await importAll(telegramImporter, [makeInputFile('x', JSON.stringify(chat))]);
    expect(records.messages).toMatchObject([
      { id: '43/1', chat: 'Bo', sent_at: '2026-07-05T09:00:00Z', text: 'Hi' },
    ]);
    for (const text of ['{"messages": [{"sender_name": "a", "timestamp_ms": 1}]}', '{"about": "me"}'])
      expect(await telegramImporter.recognise([makeInputFile('result.json', text)])).toEqual([]);
  });
});
