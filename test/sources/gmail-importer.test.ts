import { describe, expect, it } from 'vitest';
import { gmailImporter } from '../../src/sources/gmail/gmail-importer.ts';
import { countRecords, pickRecord, readFixture } from './count-records.ts';

describe('an mbox of Gmail', async () => {
  const found = await readFixture(gmailImporter, 'takeout');

  it('has each mail and conversation once', () => {
    expect(countRecords(found)).toEqual({ messages: 3, threads: 2 });
    expect(found.problems).toEqual([]);
    expect(found.notes).toEqual(['1 duplicate mails skipped']);
  });

  it('finds the owner by delivery address, and sent mail by label', () => {
    expect(found.self).toEqual(['anna@example.org']);
    expect(found.records.messages?.map((mail) => mail.is_from_me)).toEqual([false, true, false]);
  });

  it('reads names, labels, bodies and attachments in any encoding', () => {
    expect(pickRecord(found, 'messages', 0)).toMatchInlineSnapshot(`
      {
        "attachment": {
          "media_type": "application/pdf",
          "name": "Pläne.pdf",
          "size_bytes": 11,
        },
        "attachment_names": [
          "Pläne.pdf",
        ],
        "attachments": [
          {
            "media_type": "application/pdf",
            "name": "Pläne.pdf",
            "size_bytes": 11,
          },
        ],
        "body": "Hallo Anna,

      die Probe fällt aus.
      Gruß",
        "cc": [
          "c1@example.org",
          "c2@example.org",
        ],
        "folder": "All mail Including Spam and Trash",
        "from_address": "juergen@example.net",
        "from_name": "Jürgen Müller",
        "id": "one@mail.example",
        "is_from_me": false,
        "is_unread": true,
        "labels": [
          "Inbox",
          "Ungelesen",
          "Verein, Chor",
          "Ämter",
        ],
        "sent_at": "2024-03-04T09:00:00Z",
        "subject": "Probe fällt aus",
        "thread_id": "1790000000000000001",
        "to": [
          "anna@example.org",
          "bo@example.org",
        ],
        "to_names": [
          "Anna",
          "Bo, B.",
        ],
      }
    `);
  });

  it('does not split at a text line that begins with From', () => {
    expect(found.records.messages?.[1]?.body).toMatchInlineSnapshot(`
      "Schade! Ich schrieb gestern:
      From Monday on there is no choir.
      From here it is a short walk.

      From my side all is well."
    `);
  });

  it('uses the delivery time if the sender wrote none', () => {
    expect(found.records.messages?.[2]?.sent_at).toBe('2024-03-05T08:00:00Z');
  });

  it('groups a conversation by Gmail’s thread id', () => {
    expect(pickRecord(found, 'threads', 0)).toMatchInlineSnapshot(`
      {
        "first_message_at": "2024-03-04T09:00:00Z",
        "id": "1790000000000000001",
        "last_message_at": "2024-03-04T11:30:00Z",
        "message_count": 2,
        "participants": [
          "juergen@example.net",
          "anna@example.org",
          "bo@example.org",
          "c1@example.org",
          "c2@example.org",
        ],
        "subject": "Probe fällt aus",
      }
    `);
  });
});
