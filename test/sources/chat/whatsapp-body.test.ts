import { describe, expect, it } from 'vitest';
import { recogniseInputs } from '../../../src/import/recognise.ts';
import { importers } from '../../../src/sources/importers.ts';
import { whatsappImporter } from '../../../src/sources/whatsapp/whatsapp-importer.ts';
import { makeInputFile } from '../../support/input-file.ts';
import { importAll } from '../import-export.ts';

const M = '\u200e';

/** The messages of a chat, without what all of them share. */
async function readChat(path: string, lines: readonly string[]) {
  const { records, self } = await importAll(whatsappImporter, [makeInputFile(path, lines.join('\n'))]);
  return { messages: records.messages ?? [], chats: records.chats ?? [], self };
}

async function readOne(text: string) {
  const { messages } = await readChat('WhatsApp Chat with Bo.txt', [
    '[05.03.26, 21:05:33] Bo: Hello',
    `[25.03.26, 21:06:33] Anna: ${text}`,
  ]);
  const { kind, text: said, attachments, is_edited, sender } = messages[1] ?? {};
  return { kind, text: said, attachments, is_edited, sender };
}

describe('attachments of an iPhone keep their file and their caption', () => {
  it.each([
    [`A PDF.pdf • ${M}1 page ${M}<attached: some-doc.pdf>`, 'A PDF.pdf • 1 page', 'some-doc.pdf'],
    [
      `${M}A PDF.pdf • ${M}2 Seiten ${M}<Anhang: 00000003-A PDF.pdf>`,
      'A PDF.pdf • 2 Seiten',
      '00000003-A PDF.pdf',
    ],
    [`Look at this ${M}<attached: 00000012-PHOTO.jpg>`, 'Look at this', '00000012-PHOTO.jpg'],
    [`two\nlines ${M}<adjunto: 00000012-PHOTO.jpg>`, 'two\nlines', '00000012-PHOTO.jpg'],
    [`Regarde ${M}<pièce jointe : 00000012-PHOTO.jpg>`, 'Regarde', '00000012-PHOTO.jpg'],
    [`見て ${M}<添付ファイル: 00000012-PHOTO.jpg>`, '見て', '00000012-PHOTO.jpg'],
    [`봐 ${M}<첨부: 00000012-PHOTO.jpg>`, '봐', '00000012-PHOTO.jpg'],
    [`看 ${M}<附件：00000012-PHOTO.jpg>`, '看', '00000012-PHOTO.jpg'],
    [`Kijk ${M}<bijgevoegd: 00000012-PHOTO.jpg>`, 'Kijk', '00000012-PHOTO.jpg'],
    [`Смотри ${M}<прикреплено: 00000012-PHOTO.jpg>`, 'Смотри', '00000012-PHOTO.jpg'],
    [`Bak ${M}<eklendi: 00000012-PHOTO.jpg>`, 'Bak', '00000012-PHOTO.jpg'],
    [`انظر ${M}<مُرفق: 00000012-PHOTO.jpg>`, 'انظر', '00000012-PHOTO.jpg'],
    [`${M}<attached: 00000012-PHOTO.jpg>`, '<attached: 00000012-PHOTO.jpg>', '00000012-PHOTO.jpg'],
    [`edited.jpg by me ${M}<attached: 00000012-edited.jpg>`, 'edited.jpg by me', '00000012-edited.jpg'],
  ])('%s', async (written, text, file) => {
    const sent = { kind: 'media', text, attachments: [file], is_edited: undefined, sender: 'Anna' };
    expect(await readOne(written)).toEqual(sent);
  });

  it('and is marked edited only if its caption was', async () => {
    expect(
      await readOne(`Look ${M}<attached: 00000012-PHOTO.jpg> ${M}<This message was edited>`),
    ).toMatchObject({ kind: 'media', text: 'Look', attachments: ['00000012-PHOTO.jpg'], is_edited: true });
  });
});

describe('a message is edited only with the app’s text for it', () => {
  it.each([
    `${M}<This message was edited>`,
    '<This message was edited>',
    '<Diese Nachricht wurde bearbeitet.>',
    '<Se editó este mensaje.>',
    '<Ce message a été modifié>',
    '<Questo messaggio è stato modificato>',
    '<Mensagem editada>',
    '<Dit bericht is bewerkt>',
    '<Это сообщение изменено>',
    '<Bu mesaj düzenlendi>',
    '<このメッセージは編集されました>',
    '<수정된 메시지>',
    '<此消息已编辑>',
    '<תוכן ההודעה נערכ>',
    '<تم تعديل هذه الرسالة>',
    '<यह मैसेज एडिट किया गया>',
    '<ข้อความนี้ถูกแก้ไข>',
    `${M}<words of a language that is not known>`,
  ])('%s', async (mark) => {
    const edited = { kind: 'message', text: 'Better now', is_edited: true };
    expect(await readOne(`Better now ${mark}`)).toMatchObject(edited);
  });

  it.each([
    'I <3 you and <you too>',
    'use <b>bold</b>',
    'see <https://example.org>',
    `x ${M}<Media omitted>`,
  ])('not %s', async (text) => {
    expect((await readOne(text)).is_edited).toBeUndefined();
  });
});

describe('polls and locations are messages of their sender', () => {
  it.each([
    [`${M}POLL:\nWhich day?\n${M}OPTION: Monday (2 votes)\n${M}OPTION: Tuesday (0 votes)`, 'poll'],
    [`${M}UMFRAGE:\nWelcher Tag?\n${M}OPTION: Montag (1 Stimme)\n${M}OPTION: Dienstag (0 Stimmen)`, 'poll'],
    [`${M}SONDAGE :\nQuel jour ?\n${M}OPTION : Lundi (2 votes)`, 'poll'],
    ['POLL:\nWhich day?\nOPTION: Monday (2 votes)\nOPTION: Tuesday (0 votes)', 'poll'],
    [`${M}투표:\n언제?\n${M}옵션: 월요일 (2표)`, 'poll'],
    [`${M}Location: https://maps.google.com/?q=52.5,13.4`, 'location'],
    [`${M}Standort: https://maps.google.com/?q=-52.5,13.4`, 'location'],
    [`${M}Location: Café Blau (https://foursquare.com/v/4b0)`, 'location'],
    ['location: https://maps.google.com/?q=52.5,13.4', 'location'],
    [`${M}Live location shared`, 'location'],
    ['live location shared', 'location'],
  ])('%s', async (written, kind) => {
    expect(await readOne(written)).toEqual({
      kind,
      text: written.replaceAll(M, ''),
      attachments: undefined,
      is_edited: undefined,
      sender: 'Anna',
    });
  });

  it.each([['Shopping:\nfor today\nMilk: yes (2 l)'], ['I will share my live location later, ok?']])(
    'but not %s',
    async (text) => {
      expect((await readOne(text)).kind).toBe('message');
    },
  );
});

describe('a chat without a name keeps its senders', () => {
  const poll = `${M}POLL:\nWhen?\n${M}OPTION: Now (1 vote)`;
  const deleted = `${M}This message was deleted.`;

  it('with two people', async () => {
    const { messages, self } = await readChat('_chat.txt', [
      `[05.03.26, 21:00:00] Bo: ${M}Messages and calls are end-to-end encrypted.`,
      '[05.03.26, 21:01:00] Anna: Hello',
      `[05.03.26, 21:02:00] Bo: ${poll}`,
      `[05.03.26, 21:03:00] Bo: ${deleted}`,
    ]);
    expect(messages.map(({ sender, kind, from_me }) => [sender, kind, from_me])).toEqual([
      ['Bo', 'system', false],
      ['Anna', 'message', true],
      ['Bo', 'poll', false],
      ['Bo', 'system', false],
    ]);
    expect(self).toEqual(['Anna']);
  });

  it('with the owner as the first sender', async () => {
    for (const first of [`${M}image omitted`, `${M}You deleted this message.`, poll]) {
      const { messages, self } = await readChat('_chat.txt', [
        `[05.03.26, 21:00:00] Anna: ${first}`,
        '[05.03.26, 21:01:00] Bo: Hello',
      ]);
      expect(self).toEqual([]);
      expect(messages.map(({ sender, from_me }) => [sender, from_me])).toEqual([
        ['Anna', undefined],
        ['Bo', undefined],
      ]);
    }
  });

  it('in a group, with notices under the name of the group', async () => {
    const { messages } = await readChat('_chat.txt', [
      `[05.03.26, 21:00:00] Trip: ${M}Messages and calls are end-to-end encrypted.`,
      '[05.03.26, 21:01:00] Anna: Hello',
      `[05.03.26, 21:02:00] Bo: ${deleted}`,
      `[05.03.26, 21:03:00] Bo: ${poll}`,
      `[05.03.26, 21:04:00] Trip: ${M}Carla was added`,
    ]);
    expect(messages.map(({ sender, kind }) => [sender, kind])).toEqual([
      [undefined, 'system'],
      ['Anna', 'message'],
      ['Bo', 'system'],
      ['Bo', 'poll'],
      [undefined, 'system'],
    ]);
  });

  it('in a group whose first message is deleted, or by a later sender', async () => {
    for (const first of [deleted, `${M}Missed voice call`]) {
      const { messages } = await readChat('_chat.txt', [
        `[05.03.26, 21:00:00] Bo: ${first}`,
        '[05.03.26, 21:01:00] Anna: Hello',
        '[05.03.26, 21:02:00] Carla: Hello',
        '[05.03.26, 21:03:00] Bo: Hello',
        `[05.03.26, 21:04:00] Bo: ${deleted}`,
      ]);
      expect(messages.map(({ sender }) => sender)).toEqual(['Bo', 'Anna', 'Carla', 'Bo', 'Bo']);
    }
  });
});

describe('chats from Korea', () => {
  it.each([
    ['an iPhone', '[2026. 3. 5. 오후 9:05:33] 보: 안녕, 잘 지내?\n[2026. 3. 5. 오후 9:06:10] 안나: 응\n'],
    [
      'an iPhone, with a short year',
      '[26. 3. 5. 오후 9:05:33] 보: 안녕, 잘 지내?\n[26. 3. 5. 오후 9:06:10] 안나: 응\n',
    ],
    ['Android', '2026. 3. 5. 오후 9:05 - 보: 안녕, 잘 지내?\n2026. 3. 5. 오후 9:06 - 안나: 응\n'],
    ['Android, with a comma', '2026. 3. 5. 오후 9:05, 보: 안녕, 잘 지내?\n2026. 3. 5. 오후 9:06, 안나: 응\n'],
    [
      'Android, in words',
      '2026년 3월 5일 오후 9:05, 보: 안녕, 잘 지내?\n2026년 3월 5일 오후 9:06, 안나: 응\n',
    ],
    ['Android, with marks', '26. 3. 5. PM 9:05 - 보: 안녕, 잘 지내?\n26. 3. 5. PM 9:06 - 안나: 응\n'],
  ])('of %s are chats', async (_, text) => {
    const { found } = await recogniseInputs(importers, [makeInputFile('chat.txt', text)]);
    expect(found.map(({ importer }) => importer.format)).toEqual(['whatsapp']);
    const { messages } = await readChat('chat.txt', [text]);
    expect(messages).toMatchObject([
      { sender: '보', text: '안녕, 잘 지내?' },
      { sender: '안나', text: '응' },
    ]);
    expect(messages.every(({ sent_at }) => String(sent_at).startsWith('2026-03-05T20:0'))).toBe(true);
  });
});
