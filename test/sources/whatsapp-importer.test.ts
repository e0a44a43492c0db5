import { describe, expect, it } from 'vitest';
import { localTimeOf, readChatLine } from '../../src/sources/chat/chat-line.ts';
import { lineImporter } from '../../src/sources/line/line-importer.ts';
import { signalImporter } from '../../src/sources/signal/signal-importer.ts';
import { whatsappImporter } from '../../src/sources/whatsapp/whatsapp-importer.ts';
import { makeInputFile } from '../support/input-file.ts';
import { fixture, importAll } from './import-export.ts';

describe('the header of a chat line', () => {
  it.each([
    ['05/03/26, 21:05 - A: x', '2026-03-05T21:05:00'],
    ['5/3/26, 9:05\u202fPM - A: x', '2026-03-05T21:05:00'],
    ['[05.03.26, 21:05:33] A: x', '2026-03-05T21:05:33'],
    ['\u200e[2026-03-05, 21:05:33] A: x', '2026-03-05T21:05:33'],
    ['2026/3/5 下午9:05 - A: x', '2026-03-05T21:05:00'],
    ['2026. 3. 5. 오후 9:05 - A: x', '2026-03-05T21:05:00'],
    ['05-03-2026 21.05 - A: x', '2026-03-05T21:05:00'],
    ['5.3.2026 klo 21.05 - A: x', '2026-03-05T21:05:00'],
    ['05/03/2026 à 21:05 - A: x', '2026-03-05T21:05:00'],
    ['5/3/2569 21:05 - A: x', '2026-03-05T21:05:00'],
    ['05/03/26 9:05 p. m. - A: x', '2026-03-05T21:05:00'],
    ['05/03/26 12:05 a.m. - A: x', '2026-03-05T00:05:00'],
    ['05/03/26 21:05:33: A: x', '2026-03-05T21:05:33'],
    ['5.03.26 г., 21:05 - A: x', '2026-03-05T21:05:00'],
    ['٥/٣/٢٠٢٦، ٩:٠٥ م - A: x', '2026-03-05T21:05:00'],
    ['13/3/26, 09:05 - A: x', '2026-03-13T09:05:00'],
  ])('%s', (text, time) => {
    const line = readChatLine(text);
    expect(line?.rest).toBe('A: x');
    expect(line === undefined ? undefined : localTimeOf(line, true)).toBe(time);
  });

  it.each(['Hello', '10:30 - see you', '[draft] 5/3/26', '05/03/26 25:05 - A: x', '1/2/3'])(
    'is not: %s',
    (text) => {
      expect(readChatLine(text)).toBeUndefined();
    },
  );
});

describe('WhatsApp', () => {
  it('reads chats of both phones, detects their date order, and finds the owner in a chat of two', async () => {
    const result = await importAll(whatsappImporter, fixture('whatsapp'));
    expect(result.counts).toEqual({ messages: 11, chats: 2 });
    expect(result.notes).toEqual([
      'dates are read day-first; month-first would be impossible',
      'dates are read month-first; day-first would be impossible',
    ]);
    expect(result.problems).toEqual(['group.dat line 1: comes before the first message']);
    expect(result.self).toEqual(['Anna']);
    expect(result.records.chats?.[0]).toMatchInlineSnapshot(`
      {
        "first_at": "2026-03-05T08:15:02Z",
        "id": "Bo Lind",
        "last_at": "2026-03-29T01:30:00Z",
        "message_count": 7,
        "name": "Bo Lind",
        "participants": [
          "Anna",
          "Bo Lind",
        ],
      }
    `);
    expect(
      result.records.messages?.map(({ sent_at, sender, kind, text, attachments, from_me }) => [
        sent_at,
        sender,
        kind,
        text,
        attachments,
        from_me,
      ]),
    ).toMatchInlineSnapshot(`
      [
        [
          "2026-03-05T08:15:02Z",
          "Bo Lind",
          "system",
          "Messages and calls are end-to-end encrypted.",
          undefined,
          false,
        ],
        [
          "2026-03-05T08:15:02Z",
          "Bo Lind",
          "message",
          "Are we going?",
          undefined,
          false,
        ],
        [
          "2026-03-05T08:16:10Z",
          "Anna",
          "message",
          "Yes: on Friday
      and on Saturday",
          undefined,
          true,
        ],
        [
          "2026-03-05T08:17:00Z",
          "Bo Lind",
          "media",
          "image omitted",
          [
            "image omitted",
          ],
          false,
        ],
        [
          "2026-03-06T09:00:00Z",
          "Anna",
          "media",
          "<attached: 00000012-PHOTO-2026-03-06.jpg>",
          [
            "00000012-PHOTO-2026-03-06.jpg",
          ],
          true,
        ],
        [
          "2026-03-06T09:01:00Z",
          "Anna",
          "message",
          "Better now",
          undefined,
          true,
        ],
        [
          "2026-03-29T01:30:00Z",
          "Bo Lind",
          "message",
          "the hour that is not there",
          undefined,
          false,
        ],
        [
          "2026-03-04T20:05:00Z",
          undefined,
          "system",
          "Carla created group "Trip: north"",
          undefined,
          undefined,
        ],
        [
          "2026-03-04T20:06:00Z",
          "Carla",
          "media",
          "<Media omitted>",
          [
            "Media omitted",
          ],
          undefined,
        ],
        [
          "2026-03-04T23:07:00Z",
          "+49 151 0000000",
          "media",
          "IMG-20260305.jpg (file attached)
      look",
          [
            "IMG-20260305.jpg",
          ],
          undefined,
        ],
        [
          "2026-03-31T05:00:00Z",
          "Carla",
          "message",
          undefined,
          undefined,
          undefined,
        ],
      ]
    `);
  });

  it('marks edited messages', async () => {
    const { records } = await importAll(whatsappImporter, fixture('whatsapp'));
    expect(records.messages?.[5]).toMatchObject({ text: 'Better now', is_edited: true });
  });

  it('ignores program logs and other texts', async () => {
    for (const text of [
      '[2026-01-05 10:00:00] production.ERROR: no',
      '# Notes\n\n05/03/26, 10:00 - later: x',
      'a,b\n1,2',
    ])
      expect(
        await whatsappImporter.recognise([
          makeInputFile('a.txt', text.replace('# Notes', '# Notes\n1\n2\n3')),
        ]),
      ).toEqual([]);
    expect(await whatsappImporter.recognise(fixture('signal'))).toEqual([]);
    expect(await whatsappImporter.recognise(fixture('line'))).toEqual([]);
  });
});

describe('Signal', () => {
  it('reads the output of both programs', async () => {
    const result = await importAll(signalImporter, fixture('signal'));
    expect(result.counts).toEqual({ messages: 4, chats: 2 });
    expect(result.problems).toEqual([]);
    expect(result.records.messages).toMatchInlineSnapshot(`
      [
        {
          "chat": "Bo",
          "chat_id": "Bo",
          "from_me": false,
          "sender": "Bo",
          "sent_at": "2026-01-02T09:00:05Z",
          "text": "Hello",
        },
        {
          "attachments": [
            "photo.jpg",
          ],
          "chat": "Bo",
          "chat_id": "Bo",
          "from_me": true,
          "sender": "Me",
          "sent_at": "2026-01-02T09:01:00Z",
          "text": "Look ![photo.jpg](./media/photo.jpg)
      second line",
        },
        {
          "attachments": [
            "cat.jpg",
          ],
          "chat": "Carla",
          "chat_id": "Carla",
          "from_me": false,
          "sender": "Carla",
          "sent_at": "2026-01-05T11:00:00Z",
          "text": "Here:

      From: nobody
      really",
        },
        {
          "chat": "Carla",
          "chat_id": "Carla",
          "from_me": true,
          "sender": "You",
          "sent_at": "2026-01-05T11:05:00Z",
          "text": "Nice",
        },
      ]
    `);
    expect(await signalImporter.recognise(fixture('whatsapp'))).toEqual([]);
  });
});

describe('LINE', () => {
  it('reads dates, names, multi-line messages and notices', async () => {
    const result = await importAll(lineImporter, fixture('line'), { timeZone: 'Asia/Tokyo' });
    expect(result.counts).toEqual({ messages: 4, chats: 1 });
    expect(result.self).toEqual(['Anna']);
    expect(result.records.messages).toMatchInlineSnapshot(`
      [
        {
          "chat": "Yuki",
          "chat_id": "Yuki",
          "from_me": false,
          "kind": "message",
          "sender": "Yuki",
          "sent_at": "2026-01-05T03:34:00Z",
          "text": "おはよう",
        },
        {
          "chat": "Yuki",
          "chat_id": "Yuki",
          "from_me": true,
          "kind": "message",
          "sender": "Anna",
          "sent_at": "2026-01-05T03:35:00Z",
          "text": "one
      two",
        },
        {
          "attachments": [
            "Photo",
          ],
          "chat": "Yuki",
          "chat_id": "Yuki",
          "from_me": false,
          "kind": "media",
          "sender": "Yuki",
          "sent_at": "2026-01-05T06:45:00Z",
          "text": "[Photo]",
        },
        {
          "chat": "Yuki",
          "chat_id": "Yuki",
          "from_me": false,
          "kind": "system",
          "sent_at": "2026-01-05T15:10:00Z",
          "text": "☎ Missed call",
        },
      ]
    `);
  });
});
