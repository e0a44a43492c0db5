import { describe, expect, it } from 'vitest';
import { mailImporter } from '../../src/sources/mail/mail-importer.ts';
import { collect, makeInputFile } from '../support/input-file.ts';
import { countRecords, pickRecord, readFixture } from './count-records.ts';

describe('an mbox of a mail program', async () => {
  const found = await readFixture(mailImporter, 'mbox');

  it('groups mails into conversations by their references', () => {
    expect(countRecords(found)).toEqual({ messages: 3, threads: 1 });
    expect(pickRecord(found, 'threads', 0)).toMatchInlineSnapshot(`
      {
        "first_message_at": "2001-01-02T02:04:05Z",
        "id": "root@x",
        "last_message_at": "2001-01-02T09:04:05Z",
        "message_count": 3,
        "participants": [
          "a@x.example",
          "b@x.example",
        ],
        "subject": "Plans",
      }
    `);
  });

  it('reads times without a zone in the owner’s zone, and obsolete zone names', () => {
    expect(found.records.messages?.map((mail) => mail.sent_at)).toEqual([
      '2001-01-02T02:04:05Z',
      '2001-01-02T09:04:05Z',
      '2001-01-02T05:04:05Z',
    ]);
  });

  it('reads other encodings and Thunderbird’s read status', () => {
    expect(found.records.messages?.[1]?.body).toBe('Schön.');
    expect(found.records.messages?.map((mail) => mail.is_unread)).toEqual([false, true, undefined]);
  });
});

describe('a Maildir folder', async () => {
  const found = await readFixture(mailImporter, 'maildir');

  it('reads folder and flags from file names', () => {
    expect(
      found.records.messages?.map(({ subject, folder, is_unread, is_from_me }) => [
        subject,
        folder,
        is_unread,
        is_from_me,
      ]),
    ).toEqual([
      ['New', 'Work', undefined, true],
      ['Seen', 'Maildir', false, false],
    ]);
    expect(found.self).toEqual(['me@y.example']);
  });
});

describe('single mails', async () => {
  it('are read from plain files and Apple Mail files', async () => {
    const found = await readFixture(mailImporter, 'single');
    expect(found.records.messages?.map(({ subject, body }) => [subject, body])).toEqual([
      ['From a Mac', 'Not the list after it.'],
      ['On paper', 'One mail in one file.'],
    ]);
  });

  it('are distinguished from similar files', async () => {
    const others = [
      'Title: A note\nTags: x\n\nFrom: here',
      'From: <Saved by Blink>\nSnapshot-Content-Location: https://example.org/\nSubject: x\nMIME-Version: 1.0\n\n',
      'name,email\nFrom: x,y',
      '',
    ];
    for (const text of others)
      expect(await mailImporter.recognise([makeInputFile('a.eml', text)])).toEqual([]);
  });
});

describe('an mbox cut anywhere', () => {
  const mbox = [1, 2, 3]
    .map(
      (n) =>
        `From - Tue Jan 02 03:04:0${n} 2001\nMessage-ID: <${n}@x>\nFrom: a@x\nSubject: ${n}\n\nText ${n}\n\n`,
    )
    .join('');

  it('gives the same mails for chunks of any size', async () => {
    for (const size of [1, 7, 64, 1_000]) {
      const found = await collect(mailImporter, [makeInputFile('x', mbox, size)]);
      expect(found.records.messages?.map(({ id, body }) => [id, body])).toEqual([
        ['1@x', 'Text 1'],
        ['2@x', 'Text 2'],
        ['3@x', 'Text 3'],
      ]);
    }
  });

  it('imports the beginning of an oversized mail, and reports it', async () => {
    const large = `${mbox}From - Tue Jan 02 03:04:05 2001\nSubject: large\n\n${'x'.repeat(25 * 2 ** 20)}`;
    const found = await collect(mailImporter, [makeInputFile('x', large, 65_536)]);
    expect(found.records.messages).toHaveLength(4);
    expect(found.problems).toEqual([
      { path: 'x', place: 'message 4', reason: 'is larger than 24 MB; only its beginning was imported' },
    ]);
  });
});

describe('large attachments', () => {
  const part = (headers: string, bytes: Buffer) =>
    `--b\n${headers}\nContent-Transfer-Encoding: base64\n\n${bytes.toString('base64').replace(/.{76}/g, '$&\n')}\n`;
  const mail = [
    'From: a@x.example\nSubject: Files\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n',
    part('Content-Type: text/plain; charset=utf-8', Buffer.from(`${'long text '.repeat(1_000)}the end`)),
    part('Content-Type: image/png; name="a.png"\nContent-Disposition: attachment', Buffer.alloc(10_001, 7)),
    part('Content-Type: text/csv; name="b.csv"\nContent-Disposition: attachment', Buffer.alloc(9_000, 65)),
    part(
      'Content-Type: application/pdf\nContent-Disposition: attachment; filename=c.pdf',
      Buffer.alloc(20_000, 3),
    ),
    '--b--\n',
  ].join('');

  it('are imported by name and size, with the whole text', async () => {
    const { records } = await collect(mailImporter, [makeInputFile('a.eml', mail)]);
    expect(records.messages?.[0]?.attachments).toEqual([
      { name: 'a.png', media_type: 'image/png', size_bytes: 10_001 },
      { name: 'b.csv', media_type: 'text/csv', size_bytes: 9_000 },
      { name: 'c.pdf', media_type: 'application/pdf', size_bytes: 20_000 },
    ]);
    expect(records.messages?.[0]?.body).toMatch(/the end$/);
  });
});

describe('the names of recipients', () => {
  it('are kept beside their addresses, decoded and once each', async () => {
    const mail = [
      'From: Anna <anna@example.org>',
      'To: "Lind, Bo" <Bo@example.org>, =?utf-8?B?Wm/Dqw==?= <zoe@example.org>, plain@example.org,',
      ' "plain@example.org" <plain@example.org>',
      'Cc: Carla <carla@example.org>, Carla <carla@work.example>',
      'Bcc: Dan <dan@example.org>',
      'Date: Thu, 5 Mar 2026 21:05:00 +0100',
      'Subject: Hello',
      '',
      'Hello',
    ].join('\r\n');
    const { records } = await collect(mailImporter, [makeInputFile('a.eml', mail)]);
    expect(records.messages).toMatchObject([
      {
        to: ['bo@example.org', 'zoe@example.org', 'plain@example.org'],
        to_names: ['Lind, Bo', 'Zoë'],
        cc: ['carla@example.org', 'carla@work.example'],
        cc_names: ['Carla'],
        bcc: ['dan@example.org'],
        bcc_names: ['Dan'],
      },
    ]);
  });
});
