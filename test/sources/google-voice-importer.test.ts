import { describe, expect, it } from 'vitest';
import { googleVoiceImporter } from '../../src/sources/google-voice/google-voice-importer.ts';
import { makeInputFile } from '../support/input-file.ts';
import { fixture, importAll } from './import-export.ts';

describe('Google Voice', () => {
  it('reads text messages and calls with transcripts', async () => {
    const result = await importAll(googleVoiceImporter, fixture('google-voice'));
    expect(result.counts).toEqual({ messages: 2, chats: 1, calls: 1 });
    expect(result.problems).toEqual([]);
    expect(result.records.messages).toMatchInlineSnapshot(`
      [
        {
          "chat": "Bo Lind",
          "chat_id": "Bo Lind",
          "from_me": false,
          "phone": "+491510000000",
          "sender": "Bo Lind",
          "sent_at": "2026-01-05T10:00:00.123Z",
          "text": "Hello & hi
      there",
        },
        {
          "attachments": [
            "Bo Lind - Text-1",
          ],
          "chat": "Bo Lind",
          "chat_id": "Bo Lind",
          "from_me": true,
          "phone": "+491520000000",
          "sender": "Me",
          "sent_at": "2026-01-05T10:01:00Z",
          "text": "MMS Sent",
        },
      ]
    `);
    expect(result.records.calls?.[0]).toMatchInlineSnapshot(`
      {
        "called_at": "2026-01-06T10:00:00Z",
        "duration_seconds": 65,
        "kind": "voicemail",
        "name": "Carla",
        "phone": "+491530000000",
        "transcript": "Please call back.",
      }
    `);
  });

  it('ignores other pages', async () => {
    for (const text of ['<html><div class="message">x</div></html>', '<div class="haudio">', ''])
      expect(
        await googleVoiceImporter.recognise([makeInputFile('Bo - Text - 2026-01-05T10_00_00Z.html', text)]),
      ).toEqual([]);
  });
});
