import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Importer } from '../../src/import/importer.ts';
import { appleNotesImporter } from '../../src/sources/apple-notes/apple-notes-importer.ts';
import { dayOneImporter } from '../../src/sources/day-one/day-one-importer.ts';
import { evernoteImporter } from '../../src/sources/evernote/evernote-importer.ts';
import { googleKeepImporter } from '../../src/sources/google-keep/google-keep-importer.ts';
import { googleVoiceImporter } from '../../src/sources/google-voice/google-voice-importer.ts';
import { markdownImporter } from '../../src/sources/markdown/markdown-importer.ts';
import { mastodonImporter } from '../../src/sources/mastodon/mastodon-importer.ts';
import { slackImporter } from '../../src/sources/slack/slack-importer.ts';
import { snapchatImporter } from '../../src/sources/snapchat/snapchat-importer.ts';
import { telegramImporter } from '../../src/sources/telegram/telegram-importer.ts';
import { whatsappImporter } from '../../src/sources/whatsapp/whatsapp-importer.ts';
import { xImporter } from '../../src/sources/x/x-importer.ts';
import { checkLetter, type Files, importAttachments, letter } from './import-exports.ts';

const telegramMessage = {
  type: 'message',
  date: '2024-05-01T10:00:00',
  date_unixtime: '1714557600',
  from: 'Anna',
  from_id: 'user1',
  text_entities: [],
};
const telegramChat = (...files: string[]) =>
  JSON.stringify({
    ...{ name: 'Anna', type: 'personal_chat', id: 1 },
    messages: files.map((file, index) => ({ ...telegramMessage, id: index + 1, file, text: 'x' })),
  });

const enex = (data: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<en-export application="Evernote"><note><title>Brief</title><created>20240501T100000Z</created><resource><data encoding="base64">\n${data}\n</data><mime>application/pdf</mime><resource-attributes><file-name>Brief.pdf</file-name></resource-attributes></resource></note></en-export>`;

const voicePage = (body: string) =>
  `<?xml version="1.0" ?><html><head><title>Bo</title></head><body>${body}</body></html>`;
const voicemail = voicePage(
  '<div class="haudio"><span class="fn">Voicemail from Bo</span><div class="contributor vcard">Voicemail from <a class="tel" href="tel:+4930"><span class="fn">Bo</span></a></div><abbr class="published" title="2026-01-06T11:00:00.000+01:00">Jan 6</abbr>Transcript: <span class="full-text">Please call the lighthouse.</span><audio controls="controls" src="Bo - Voicemail.mp3"></audio></div>',
);

/** The database of the fixture, whose first attached file has this name. */
function makeNoteStore(media: string): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'pdpp-notes-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const location = join(folder, 'NoteStore.sqlite');
  const database = new Database(location);
  database.exec(`
    create table ZICCLOUDSYNCINGOBJECT (Z_PK integer primary key, ZIDENTIFIER text, ZTITLE1 text, ZMODIFICATIONDATE1 real, ZTYPEUTI text, ZNOTE integer, ZMEDIA integer, ZFILENAME text);
    create table ZICNOTEDATA (Z_PK integer primary key, ZNOTE integer, ZDATA blob);
    insert into ZICCLOUDSYNCINGOBJECT (Z_PK, ZIDENTIFIER, ZTITLE1, ZMODIFICATIONDATE1) values (1, 'N1', 'Brief', 736250400);
    insert into ZICCLOUDSYNCINGOBJECT (Z_PK, ZTYPEUTI, ZNOTE, ZMEDIA) values (2, 'com.adobe.pdf', 1, 3);
    insert into ZICNOTEDATA values (1, 1, null);
  `);
  database
    .prepare(`insert into ZICCLOUDSYNCINGOBJECT (Z_PK, ZIDENTIFIER, ZFILENAME) values (3, ?, 'Brief.pdf')`)
    .run(media);
  database.close();
  return readFileSync(location);
}
const MEDIA = '3F2504E0-4F89-11D3-9A0C-0305E82C3301';

const cases: [name: string, importer: Importer, stream: string, makeFiles: () => Files][] = [
  [
    'WhatsApp',
    whatsappImporter,
    'messages',
    () => ({
      'WhatsApp Chat with Anna/_chat.txt':
        '[01.05.24, 10:00:00] Anna: Hallo\n\u200e[01.05.24, 10:01:00] Anna: \u200e<attached: Brief.pdf>\n[14.05.24, 10:02:00] Bea: Danke\n',
      'WhatsApp Chat with Anna/Brief.pdf': letter,
      'elsewhere/Brief.pdf': 'not this one',
    }),
  ],
  [
    'Telegram',
    telegramImporter,
    'messages',
    () => ({ 'export/result.json': telegramChat('files/Brief.pdf'), 'export/files/Brief.pdf': letter }),
  ],
  [
    'Google Keep',
    googleKeepImporter,
    'notes',
    () => ({
      'Keep/Brief.json': JSON.stringify({
        ...{ color: 'DEFAULT', isTrashed: false, isPinned: false, isArchived: false },
        title: 'Brief',
        textContent: 'x',
        attachments: [{ filePath: 'Brief.pdf', mimetype: 'application/pdf' }],
        userEditedTimestampUsec: 1714557600000000,
        createdTimestampUsec: 1714557600000000,
      }),
      'Keep/Brief.pdf': letter,
    }),
  ],
  [
    'Day One',
    dayOneImporter,
    'entries',
    () => ({
      'Journal.json': JSON.stringify({
        metadata: { version: '1.0' },
        entries: [
          {
            uuid: 'E1',
            creationDate: '2024-05-01T10:00:00Z',
            text: 'Look',
            pdfAttachments: [{ identifier: 'X', md5: 'abc', type: 'pdf', pdfName: 'Brief.pdf' }],
          },
        ],
      }),
      'pdfs/abc.pdf': letter,
    }),
  ],
  ['Evernote', evernoteImporter, 'notes', () => ({ 'Mine.enex': enex(letter.toString('base64')) })],
  [
    'Apple Notes',
    appleNotesImporter,
    'notes',
    () => ({
      'group.com.apple.notes/NoteStore.sqlite': makeNoteStore(MEDIA),
      [`group.com.apple.notes/Accounts/LocalAccount/Media/${MEDIA}/1_X/Brief.pdf`]: letter,
    }),
  ],
  [
    'a folder of Markdown',
    markdownImporter,
    'notes',
    () => ({
      'notes/one/a.md': '# A\n[the letter](../files/Brief.pdf) and [again](../files/Brief.pdf#page=2)\n',
      'notes/two/b.md': '# B\n',
      'notes/files/Brief.pdf': letter,
    }),
  ],
  [
    'an Obsidian vault, by name alone',
    markdownImporter,
    'notes',
    () => ({
      'Vault/.obsidian/app.json': '{}',
      'Vault/one/a.md': '# A\n![[brief.pdf]]\n',
      'Vault/files/Brief.pdf': letter,
    }),
  ],
  [
    'X, posts',
    xImporter,
    'posts',
    () => ({
      'data/tweets.js': `window.YTD.tweets.part0 = ${JSON.stringify([
        {
          tweet: {
            id_str: '12',
            full_text: 'Look',
            created_at: 'Wed May 01 10:00:00 +0000 2024',
            entities: { media: [{ media_url_https: 'https://pbs.twimg.com/media/Brief.pdf' }] },
            extended_entities: { media: [{ media_url_https: 'https://pbs.twimg.com/media/Brief.pdf' }] },
          },
        },
      ])}`,
      'data/tweets_media/12-Brief.pdf': letter,
    }),
  ],
  [
    'X, direct messages',
    xImporter,
    'direct_messages',
    () => ({
      'data/direct-messages.js': `window.YTD.direct_messages.part0 = ${JSON.stringify([
        {
          dmConversation: {
            conversationId: '1-2',
            messages: [
              {
                messageCreate: {
                  id: '12',
                  senderId: '1',
                  text: 'Look',
                  createdAt: '2024-05-01T10:00:00.000Z',
                  mediaUrls: ['https://ton.twitter.com/dm/12/34/Brief.pdf?x'],
                },
              },
            ],
          },
        },
      ])}`,
      'data/direct_messages_media/12-Brief.pdf': letter,
    }),
  ],
  [
    'Slack, completed by another program',
    slackImporter,
    'messages',
    () => ({
      'export/general/2024-05-01.json': JSON.stringify([
        {
          type: 'message',
          user: 'U1',
          text: 'Look',
          ts: '1714557600.000100',
          files: [{ id: 'F1', name: 'Brief.pdf' }],
        },
      ]),
      'export/__uploads/F1/Brief.pdf': letter,
    }),
  ],
  [
    'Snapchat',
    snapchatImporter,
    'messages',
    () => ({
      'my/json/chat_history.json': JSON.stringify({
        anna: [
          {
            ...{ From: 'anna', 'Media Type': 'MEDIA', Created: '2024-05-01 10:00:00 UTC', Content: '' },
            ...{ IsSender: false, 'Media IDs': 'b~Other | b~AbC' },
          },
        ],
      }),
      'my/chat_media/2024-05-01_b~AbC.pdf': letter,
    }),
  ],
  [
    'Mastodon',
    mastodonImporter,
    'posts',
    () => ({
      'archive/outbox.json': JSON.stringify({
        ...{
          '@context': 'https://www.w3.org/ns/activitystreams',
          id: 'outbox.json',
          type: 'OrderedCollection',
        },
        orderedItems: [
          {
            ...{ id: 'https://m.example/1/activity', type: 'Create', actor: 'https://m.example/users/anna' },
            to: ['https://www.w3.org/ns/activitystreams#Public'],
            object: {
              ...{
                id: 'https://m.example/1',
                type: 'Note',
                published: '2024-05-01T10:00:00Z',
                content: 'Look',
              },
              to: ['https://www.w3.org/ns/activitystreams#Public'],
              attachment: [{ type: 'Document', url: '/media_attachments/files/1/Brief.pdf' }],
            },
          },
        ],
      }),
      'archive/media_attachments/files/1/Brief.pdf': letter,
    }),
  ],
];

describe('a file beside the messages or notes of an export', () => {
  it.each(cases)('becomes one record with its text: %s', async (_, importer, stream, makeFiles) => {
    const files = makeFiles();
    const records = await importAttachments(importer, files);
    expect(records).toMatchObject([{ name: expect.stringContaining('.pdf'), text_status: 'read' }]);
    await checkLetter(importer, files, stream, records[0]?.name as string);
  });

  it('has the transcript of a voicemail as its text', async () => {
    const records = await importAttachments(googleVoiceImporter, {
      'Calls/Bo - Voicemail.html': voicemail,
      'Calls/Bo - Voicemail.mp3': Buffer.from('ID3\x03\0', 'latin1'),
    });
    expect(records).toMatchObject([
      { media_type: 'audio/mpeg', text: 'Please call the lighthouse.', text_status: 'read' },
    ]);
  });

  it('is found with the ending that the page of Google Voice omits', async () => {
    const page = voicePage(
      '<div class="hChatLog hfeed"><div class="message"><abbr class="dt" title="2026-01-05T11:00:00.123+01:00">Jan 5</abbr>: <cite class="sender vcard"><a class="tel" href="tel:+4930"><span class="fn">Bo</span></a></cite>: <q>MMS</q><div><img src="Bo - Text-1" alt="Image" /></div></div></div>',
    );
    const records = await importAttachments(googleVoiceImporter, {
      'Calls/Bo - Text.html': page,
      'Calls/Bo - Text-1.vcf': 'BEGIN:VCARD\nVERSION:3.0\nFN:Bea Lind\nEND:VCARD\n',
    });
    expect(records).toMatchObject([{ name: 'Bo - Text-1.vcf', text: expect.stringContaining('Bea Lind') }]);
  });
});
