import { describe, expect, it } from 'vitest';
import { discordImporter } from '../../src/sources/discord/discord-importer.ts';
import { makeInputFile } from '../support/input-file.ts';
import { fixture, importAll } from './import-export.ts';

describe('Discord', () => {
  it('reads newer and older channels with ids beyond safe integers', async () => {
    const result = await importAll(discordImporter, fixture('discord'));
    expect(result.counts).toEqual({ messages: 3, chats: 2 });
    expect(result.accounts).toEqual(['anna']);
    expect(result.self).toEqual(['anna', '900719925474099391']);
    expect(result.problems).toEqual([]);
    expect(result.records.messages?.[0]).toMatchInlineSnapshot(`
      {
        "attachments": [
          "https://cdn.example/a.png",
          "https://cdn.example/b.png",
        ],
        "chat": "general",
        "chat_id": "900719925474099301",
        "from_me": true,
        "id": "9007199254740993001",
        "sender": "anna",
        "sent_at": "2026-01-05T10:00:00Z",
        "server": "Garden",
        "text": "Hello",
      }
    `);
    expect(result.records.messages?.[2]).toMatchObject({
      id: '9007199254740993003',
      chat: 'Direct Message with bo#0',
      sent_at: '2020-01-05T10:00:00.123Z',
      text: 'Hi, Bo\nagain',
    });
    expect(result.records.chats?.[0]).toMatchObject({
      name: 'general',
      server: 'Garden',
      type: 'GUILD_TEXT',
    });
  });

  it('ignores packages without messages', async () => {
    for (const text of [
      '{"900719925474099301": "x"}',
      '{"id": "900719925474099301", "username": "a", "global_name": "b"}',
      'id,timestamp\n1,2',
    ])
      expect(await discordImporter.recognise([makeInputFile('messages.json', text)])).toEqual([]);
  });
});
