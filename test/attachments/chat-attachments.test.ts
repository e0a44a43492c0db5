import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Importer } from '../../src/import/importer.ts';
import { recogniseInputs } from '../../src/import/recognise.ts';
import { contactsImporter } from '../../src/sources/contacts/contacts-importer.ts';
import { discordImporter } from '../../src/sources/discord/discord-importer.ts';
import { imessageImporter } from '../../src/sources/imessage/imessage-importer.ts';
import { facebookImporter, instagramImporter } from '../../src/sources/meta/meta-importer.ts';
import { signalImporter } from '../../src/sources/signal/signal-importer.ts';
import { smsBackupImporter } from '../../src/sources/sms-backup/sms-backup-importer.ts';
import { makeChatDatabase } from '../sources/make-chat-database.ts';
import { makeInputFile } from '../support/input-file.ts';
import { checkLetter, type Files, importAttachments, letter, readSample } from './import-exports.ts';

/** A chat.db whose attached file has this path. */
function makeDatabase(path: string): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'pdpp-chat-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const location = join(folder, 'chat.db');
  makeChatDatabase(location);
  const database = new Database(location);
  database.prepare(`update attachment set filename = ?, transfer_name = 'Brief.pdf'`).run(path);
  database.close();
  return readFileSync(location);
}

const part = (data: string, more = '') =>
  `<part seq="0" ct="application/pdf" name="null" cl="Brief.pdf" text="null"${more} data="${data}" />`;
const mms = (parts: string) =>
  `<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>
<smses count="1"><mms date="1714557600000" address="+4930" contact_name="Anna" msg_box="1" read="1"><parts>
<part seq="-1" ct="application/smil" name="null" cl="smil.xml" text='&lt;smil data="x"/>' />
<part seq="0" ct="text/plain" name="null" cl="text.txt" text='Look at data="QUJD" &gt; here' />
${parts}</parts></mms></smses>`;

const message = (file: object) => ({
  participants: [{ name: 'Anna' }, { name: 'Bea' }],
  messages: [{ sender_name: 'Anna', timestamp_ms: 1_714_557_600_000, ...file }],
  title: 'Anna',
  thread_path: 'inbox/anna_1',
});

const channel = (url: string) => ({
  guild: { id: '0', name: 'Direct Messages' },
  channel: { id: '900719925474099301', name: 'Anna', type: 'DirectTextChat' },
  messages: [
    {
      id: '900719925474099302',
      timestamp: '2024-05-01T10:00:00+00:00',
      content: 'Look',
      author: { id: '900719925474099303', name: 'anna', nickname: 'Anna' },
      attachments: [{ id: '1', url, fileName: 'Brief.pdf', fileSizeBytes: 10_000_000_000 }],
    },
  ],
});

const letterHash = createHash('sha1')
  .update('MediaDomain-Library/SMS/Attachments/aa/Brief.pdf')
  .digest('hex');

const cases: [name: string, importer: Importer, makeFiles: () => Files, stream?: string][] = [
  [
    'iMessage, with the folder Attachments',
    imessageImporter,
    () => ({
      'Messages/chat.db': makeDatabase('~/Library/Messages/Attachments/aa/Brief.pdf'),
      'Messages/Attachments/aa/Brief.pdf': letter,
      'Messages/Brief.pdf': 'not this one',
    }),
  ],
  [
    'iMessage, in a backup of an iPhone',
    imessageImporter,
    () => ({
      'Backup/3d/3d0d7e5fb2ce288813306e4d4636395e047a3d28': makeDatabase(
        '~/Library/SMS/Attachments/aa/Brief.pdf',
      ),
      [`Backup/${letterHash.slice(0, 2)}/${letterHash}`]: letter,
    }),
  ],
  [
    'iMessage, as text',
    imessageImporter,
    () => ({
      'export/Anna.txt': 'May 01, 2024 10:00:00 AM\nAnna\nattachments/1/Brief.pdf\n',
      'export/attachments/1/Brief.pdf': letter,
    }),
  ],
  [
    'Signal, as Markdown',
    signalImporter,
    () => ({
      'out/Anna/chat.md':
        '[2024-05-01 10:00] Anna: Hallo\n[2024-05-01, 10:01:00] Me: [Brief.pdf](./media/Brief.pdf)\n',
      'out/Anna/media/Brief.pdf': letter,
      'out/Bea/media/Brief.pdf': 'not this one',
    }),
  ],
  [
    'Signal, as text beside a folder of the same name',
    signalImporter,
    () => ({
      'out/Anna (+4930).txt':
        'Conversation: Anna (+4930)\n\nFrom: Anna (+4930)\nType: incoming\nSent: Wed, 01 May 2024 10:00:00 +0000\nAttachment: Brief.pdf (application/pdf, 9 bytes)\n\nLook\n',
      'out/Anna (+4930)/Brief.pdf': letter,
    }),
  ],
  [
    'Instagram',
    instagramImporter,
    () => ({
      'export/your_instagram_activity/messages/inbox/anna_1/message_1.json': JSON.stringify(
        message({ files: [{ uri: 'your_instagram_activity/messages/inbox/anna_1/files/Brief.pdf' }] }),
      ),
      'export/your_instagram_activity/messages/inbox/anna_1/files/Brief.pdf': letter,
    }),
  ],
  [
    'Facebook, an older export',
    facebookImporter,
    () => ({
      'facebook-anna/messages/inbox/anna_1/message_1.json': JSON.stringify(
        message({ type: 'Generic', files: [{ uri: 'messages/inbox/anna_1/files/Brief.pdf' }] }),
      ),
      'facebook-anna/messages/inbox/anna_1/files/Brief.pdf': letter,
    }),
  ],
  [
    'Messenger, with end-to-end encryption',
    facebookImporter,
    () => ({
      'messages/Anna_1.json': JSON.stringify({
        participants: ['Anna', 'Bea'],
        threadName: 'Anna_1',
        messages: [
          {
            senderName: 'Anna',
            text: 'Look',
            timestamp: 1_714_557_600_000,
            media: [{ uri: './media/Brief.pdf' }],
          },
        ],
      }),
      'messages/media/Brief.pdf': letter,
    }),
  ],
  [
    'posts of Instagram',
    instagramImporter,
    () => ({
      'export/your_instagram_activity/media/posts_1.json': JSON.stringify([
        { media: [{ uri: 'media/posts/Brief.pdf', creation_timestamp: 1_714_557_600, title: 'Look' }] },
      ]),
      'export/media/posts/Brief.pdf': letter,
    }),
    'posts',
  ],
  ['SMS Backup & Restore', smsBackupImporter, () => ({ 'sms.xml': mms(part(letter.toString('base64'))) })],
  [
    'SMS Backup & Restore, with line breaks',
    smsBackupImporter,
    () => ({ 'sms.xml': mms(part((letter.toString('base64').match(/.{1,76}/g) ?? []).join('&#10;'))) }),
  ],
  [
    'Discord, saved with media',
    discordImporter,
    () => ({
      'chat.json': JSON.stringify(channel('chat.json_Files\\Mein%20Brief-1.pdf')),
      'chat.json_Files/Mein Brief-1.pdf': letter,
    }),
  ],
  [
    'Discord, as a table',
    discordImporter,
    () => ({
      'DM - Anna [900719925474099301].csv':
        'AuthorID,Author,Date,Content,Attachments,Reactions\n"900719925474099303","anna","2024-05-01T10:00:00.0000000+00:00","Look","files/Brief.pdf",""\n',
      'files/Brief.pdf': letter,
    }),
  ],
];

describe('a file of a chat', () => {
  it('is not imported as an export of another format', async () => {
    const card = 'BEGIN:VCARD\nVERSION:3.0\nFN:Bea Lind\nEND:VCARD\n';
    const inputs = Object.entries({
      'Messages/chat.db': makeDatabase('~/Library/Messages/Attachments/aa/Bea.vcf'),
      'Messages/Attachments/aa/Bea.vcf': card,
      'elsewhere/Carla.vcf': card,
    }).map(([path, content]) => makeInputFile(path, content));
    const { found } = await recogniseInputs([contactsImporter, imessageImporter], inputs);
    expect(found.map(({ recognised }) => recognised.files.map(({ path }) => path)).sort()).toEqual([
      ['Messages/chat.db'],
      ['elsewhere/Carla.vcf'],
    ]);
  });

  it.each(cases)(
    'becomes one record with its text: %s',
    async (_, importer, makeFiles, stream = 'messages') => {
      const files = makeFiles();
      expect(await importAttachments(importer, files)).toMatchObject([
        { name: 'Brief.pdf', text_status: 'read' },
      ]);
      await checkLetter(importer, files, stream);
    },
  );

  it('keeps the texts of an MMS that look like data', async () => {
    const found = await importAttachments(smsBackupImporter, {
      'sms.xml': mms(part(readSample('picture.png').toString('base64'))),
    });
    expect(found).toMatchObject([{ media_type: 'image/png', size_bytes: readSample('picture.png').length }]);
  });

  it('has the transcript of a voice message as its text', async () => {
    const found = await importAttachments(imessageImporter, {
      'Anna.txt':
        'May 01, 2024 10:00:00 AM\nAnna\nattachments/1/Audio Message.caf\nTranscription: See you at the lighthouse\n',
      'attachments/1/Audio Message.caf': Buffer.from('caff\0\x01\0\0desc\0\0\0\0', 'latin1'),
    });
    expect(found).toMatchObject([
      { name: 'Audio Message.caf', text: 'See you at the lighthouse', text_status: 'read' },
    ]);
  });

  it('with the name of an earlier one is the second of its folder', async () => {
    const block = (text: string) =>
      `From: Anna\nType: incoming\nSent: Wed, 01 May 2024 10:00:00 +0000\nAttachment: note.txt (text/plain, 9 bytes)\n\n${text}\n\n`;
    const found = await importAttachments(signalImporter, {
      'Anna.txt': `Conversation: Anna\n\n${block('one')}${block('two')}`,
      'Anna/note.txt': 'first',
      'Anna/note-2.txt': 'second',
    });
    expect(found.map(({ text }) => text).sort()).toEqual(['first', 'second']);
  });
});
