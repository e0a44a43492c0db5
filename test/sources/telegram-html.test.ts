import { describe, expect, it } from 'vitest';
import { telegramImporter } from '../../src/sources/telegram/telegram-importer.ts';
import { collect, makeInputFile, readInputFolder } from '../support/input-file.ts';

const FOLDER = 'test/sources/fixtures/telegram';
const read = (name: string) => collect(telegramImporter, readInputFolder(`${FOLDER}/${name}`));

describe('Telegram HTML', () => {
  it('reads the messages of a chat over its pages', async () => {
    const { records, problems } = await read('html');
    expect(problems).toEqual([]);
    expect(records.messages?.slice(0, 6)).toEqual([
      {
        id: 'Harbour & Co/1',
        chat_id: 'Harbour & Co',
        chat: 'Harbour & Co',
        kind: 'service',
        text: 'Anna created group «Harbour & Co»',
        sent_at: '2026-01-04T23:00:00Z',
      },
      {
        id: 'Harbour & Co/2',
        chat_id: 'Harbour & Co',
        chat: 'Harbour & Co',
        kind: 'message',
        sender: 'Anna',
        text: 'See the tides (https://example.org/tides)\nand bring tea',
        sent_at: '2026-01-05T10:00:00Z',
      },
      expect.objectContaining({
        sender: 'Anna',
        text: 'or coffee, @bo: example.org',
        sent_at: '2026-01-05T10:00:20Z',
      }),
      expect.objectContaining({
        sender: 'Bo',
        text: 'The pier',
        reply_to_id: 'Harbour & Co/2',
        attachments: ['photo_1@05-01-2026_11-01-00.jpg'],
        media_type: 'photo',
        reactions: ['👍'],
      }),
      expect.objectContaining({
        sender: 'Bo',
        text: 'Ferry is late',
        forwarded_from: 'Harbour News',
        sent_at: '2026-01-05T10:03:00Z',
      }),
      expect.objectContaining({ sender: 'Bo', text: 'By an hour', forwarded_from: 'Harbour News' }),
    ]);
    expect(records.chats).toEqual([
      {
        id: 'Harbour & Co',
        name: 'Harbour & Co',
        participants: ['Anna', 'Bo'],
        message_count: 11,
        first_at: '2026-01-04T23:00:00Z',
        last_at: '2026-02-07T08:04:00Z',
      },
    ]);
  });

  it('names attachments, exported or not', async () => {
    const { records } = await read('html');
    expect(
      records.messages
        ?.slice(6)
        .map(({ media_type, attachments, text, duration_seconds }) => [
          media_type,
          attachments,
          text,
          duration_seconds,
        ]),
    ).toEqual([
      ['voice_message', ['audio_1@07-02-2026_09-00-00.ogg'], undefined, 5],
      [undefined, ['constructor'], undefined, undefined],
      ['sticker', ['sticker'], undefined, undefined],
      [undefined, undefined, 'When?\nMonday\nFriday', undefined],
      [undefined, ['location'], undefined, undefined],
    ]);
  });

  it('finds the owner of a full export, separates chats with the same name and lists skipped pages', async () => {
    const { recognised, records, self, notes } = await read('html-whole');
    expect(recognised.map(({ account }) => account)).toEqual(['anna']);
    expect(self).toEqual(['anna', 'Anna']);
    expect(records.contacts).toEqual([
      {
        id: '+46 700 00 00 00',
        name: 'Bo Lind',
        phone: '+46 700 00 00 00',
        added_at: '2024-01-01T09:00:00Z',
      },
    ]);
    expect(records.messages?.map(({ id, from_me, kind, text }) => [id, from_me, kind, text])).toEqual([
      ['Bo since 2026-01-05T11:00:00Z/11', true, 'message', 'Hi'],
      ['Bo since 2026-01-05T11:00:00Z/12', true, 'service', 'phone call Outgoing (60 seconds)'],
      ['Bo since 2026-01-06T11:00:00Z/11', false, 'message', 'Another Bo'],
    ]);
    expect(notes).toEqual([
      expect.stringContaining('before you import the same chats as JSON'),
      'pages of the export not imported: Sessions',
    ]);
  });

  it('imports nothing twice if there is also a JSON export', async () => {
    const { records, notes } = await read('html-and-json');
    expect(records.messages?.map(({ id, sender }) => [id, sender])).toEqual([
      ['77/6', 'Bo'],
      ['77/8', 'Anna'],
      ['77/9', 'Anna'],
      ['77/10', 'Anna'],
    ]);
    expect(records.chats).toMatchObject([{ id: '77', type: 'private_group', message_count: 4 }]);
    expect(notes).toEqual(['3 messages are also in the JSON export and were imported from there']);
  });

  it('keeps messages from before a group became a supergroup, but no day separators', async () => {
    const message = (kind: string, id: number, text: string) =>
      `<div class="message ${kind}" id="message${id}"><div class="body details">${text}</div></div>`;
    const history = [
      message('service', -1, '5 January 2026'),
      message('service', -999_977_432, 'Anna joined'),
      '<div class="message default clearfix" id="message-999977431"><div class="body"><div class="text">Hi</div></div></div>',
    ];
    const file = makeInputFile('messages.html', `<div class="history">${history.join('')}</div>`);
    const { records } = await collect(telegramImporter, [file]);
    expect(records.messages?.map(({ id, text }) => [id, text])).toEqual([
      ['Chat/-999977432', 'Anna joined'],
      ['Chat/-999977431', 'Hi'],
    ]);
  });

  it('explains a page without messages', async () => {
    const [file] = readInputFolder(`${FOLDER}/html-whole/lists`).slice(1);
    expect(await telegramImporter.recognise(file === undefined ? [] : [file])).toEqual([]);
    expect(await telegramImporter.explain?.(file as never)).toMatch(/messages\.html/);
  });
});
