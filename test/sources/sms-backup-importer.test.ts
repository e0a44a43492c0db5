import { describe, expect, it } from 'vitest';
import { smsBackupImporter } from '../../src/sources/sms-backup/sms-backup-importer.ts';
import { makeInputFile } from '../support/input-file.ts';
import { fixture, importAll } from './import-export.ts';

describe('SMS Backup & Restore', () => {
  it('reads messages with and without media, and calls', async () => {
    const result = await importAll(smsBackupImporter, fixture('sms-backup'));
    expect(result.counts).toEqual({ messages: 3, chats: 2, calls: 1 });
    expect(result.problems).toEqual([]);
    expect(result.records.messages?.[0]).toMatchInlineSnapshot(`
      {
        "chat": "Bo Lind",
        "chat_id": "+491510000000",
        "from_me": false,
        "is_read": true,
        "phone": "+49 151 0000000",
        "sender": "Bo Lind",
        "sent_at": "2026-01-05T10:00:00Z",
        "status": "received",
        "text": "Hello 😊 & bye
      now",
        "type": "sms",
      }
    `);
    expect(result.records.messages?.[2]).toMatchInlineSnapshot(`
      {
        "attachments": [
          "cat.jpg",
        ],
        "chat": "Bo Lind, Carla",
        "chat_id": "+491510000000~+491520000000",
        "from_me": false,
        "is_read": false,
        "phone": "+491510000000~+491520000000",
        "sender": "Carla",
        "sent_at": "2026-01-05T10:01:40Z",
        "status": "received",
        "text": "Look",
        "type": "mms",
      }
    `);
    expect(result.records.calls?.[0]).toMatchInlineSnapshot(`
      {
        "called_at": "2026-01-05T10:03:20Z",
        "direction": "outgoing",
        "duration_seconds": 61,
        "name": "Bo Lind",
        "phone": "+491510000000",
      }
    `);
    expect(result.records.messages?.map(({ from_me }) => from_me)).toEqual([false, true, false]);
  });

  it('imports the part before a truncation, and ignores other XML', async () => {
    const cut = '<smses count="2"><sms address="1" date="1767607200000" type="1" body="a"/><sms addr';
    const result = await importAll(smsBackupImporter, [makeInputFile('x', cut)]);
    expect(result.counts).toEqual({ messages: 1, chats: 1 });
    expect(result.problems.length).toBeGreaterThan(0);
    for (const text of ['<sms/>', '<html><smses>', '{"smses": []}'])
      expect(await smsBackupImporter.recognise([makeInputFile('sms.xml', text)])).toEqual([]);
  });
});
