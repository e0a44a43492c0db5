import { describe, expect, it } from 'vitest';
import type { InputFile } from '../../src/import/importer.ts';
import { chatgptImporter } from '../../src/sources/chatgpt/chatgpt-importer.ts';
import { evernoteImporter } from '../../src/sources/evernote/evernote-importer.ts';
import { markdownImporter } from '../../src/sources/markdown/markdown-importer.ts';
import { instagramImporter } from '../../src/sources/meta/meta-importer.ts';
import { smsBackupImporter } from '../../src/sources/sms-backup/sms-backup-importer.ts';
import { telegramImporter } from '../../src/sources/telegram/telegram-importer.ts';
import { makeInputFile } from '../support/input-file.ts';
import { importAttachments, importFiles, listRecords, setUp } from './import-exports.ts';

const chat = (...files: string[]) =>
  JSON.stringify({
    ...{ name: 'Anna', type: 'personal_chat', id: 1 },
    messages: files.map((file, index) => ({
      ...{ id: index + 1, type: 'message', date: '2024-05-01T10:00:00', date_unixtime: '1714557600' },
      ...{ from: 'Anna', from_id: 'user1', text: 'x', text_entities: [], file },
    })),
  });

const resource = (data: string) =>
  `<resource><data encoding="base64">${data}</data><mime>text/plain</mime><resource-attributes><file-name>a.txt</file-name></resource-attributes></resource>`;
const notebook = (resources: string) =>
  `<en-export><note><title>A</title><created>20240501T100000Z</created>${resources}</note></en-export>`;

const mms = (parts: string) =>
  `<smses count="1"><mms date="1714557600000" address="+4930" msg_box="1">${parts}</mms></smses>`;

/** A file of a few bytes that says it has 10 GB. */
function makeHuge(path: string): InputFile {
  return { ...makeInputFile(path, 'only a few bytes'), bytes: 10 * 2 ** 30 };
}

describe('a file that an export names', () => {
  it.each([
    ['../../etc/passwd'],
    ['../other/secret.txt'],
    ['files/../../other/secret.txt'],
    ['/etc/passwd'],
    ['..'],
    [''],
  ])('is not read outside the export: %s', async (path) => {
    const files = { 'etc/passwd': 'root', 'a/etc/passwd': 'root', 'a/other/secret.txt': 'secret' };
    expect(
      await importAttachments(telegramImporter, { 'a/export/result.json': chat(path), ...files }),
    ).toEqual([]);
  });

  it('is not read outside an export of Instagram or the folder of notes', async () => {
    const message = { sender_name: 'Anna', timestamp_ms: 1, files: [{ uri: '../other/secret.txt' }] };
    const thread = { participants: [], title: 'Anna', thread_path: 'inbox/anna', messages: [message] };
    const found = await importAttachments(instagramImporter, {
      'in/export/your_instagram_activity/messages/inbox/anna/message_1.json': JSON.stringify(thread),
      'in/other/secret.txt': 'secret',
    });
    expect(found).toEqual([]);
    const notes = await importAttachments(markdownImporter, {
      'in/notes/a.md': '# A\n[x](../other/secret.txt) [y](../../in/other/secret.txt) ![[secret.txt]]\n',
      'in/other/secret.txt': 'secret',
    });
    expect(notes).toEqual([]);
  });

  it('is not taken from another part of the name of a file', async () => {
    const conversation = (id: string) => ({
      ...{ id: 'C', title: 'T', create_time: 1_714_557_600, current_node: 'a' },
      mapping: {
        a: {
          ...{ id: 'a', parent: null, children: [] },
          message: {
            ...{ id: 'a', author: { role: 'user' }, create_time: 1_714_557_600 },
            content: { content_type: 'text', parts: ['Look'] },
            metadata: { attachments: [{ id, name: 'plan.txt' }] },
          },
        },
      },
    });
    const give = (id: string) =>
      importAttachments(chatgptImporter, {
        'export/conversations.json': JSON.stringify([conversation(id)]),
        'export/file-AbC-plan.txt': 'The plan of the lighthouse',
        'export/file-AbCd.txt': 'another',
        'export/file_00.dat': 'The newer form',
      });
    expect(await give('file-AbC')).toMatchObject([{ name: 'plan.txt', text: 'The plan of the lighthouse' }]);
    expect(await give('file_00')).toMatchObject([{ name: 'plan.txt', text: 'The newer form' }]);
    expect(await give('../file-AbC')).toEqual([]);
  });

  it('has no text if it says that it has 10 GB', async () => {
    const found = await importAttachments(telegramImporter, {
      'export/result.json': chat('files/a.txt'),
      'export/files/a.txt': makeHuge('export/files/a.txt'),
    });
    expect(found).toMatchObject([{ size_bytes: 10 * 2 ** 30, text_status: 'too_large' }]);
    expect(found[0]).not.toHaveProperty('text');
  });

  it('is a record of its own if another has the same name', async () => {
    const found = await importAttachments(telegramImporter, {
      'export/result.json': chat('one/a.txt', 'two/a.txt', 'one/a.txt'),
      'export/one/a.txt': 'first',
      'export/two/a.txt': 'second',
    });
    expect(found.map(({ name, text }) => `${name} ${text}`).sort()).toEqual([
      'a.txt first',
      'a.txt first',
      'a.txt second',
    ]);
  });
});

describe('base64 in an export', () => {
  it.each([['!!!!'], ['QUJD=QUJD'], ['QUJDR'], ['QUJD&#10;&amp;'], [''], ['  \n ']])(
    'that is broken gives a damaged file: %s',
    async (data) => {
      const found = await importAttachments(evernoteImporter, {
        'a.enex': notebook(resource(data) + resource('QUJD')),
      });
      expect(found.map(({ text_status, text }) => text ?? text_status).sort()).toEqual(['ABC', 'damaged']);
      expect(found.every(({ name }) => name === 'a.txt')).toBe(true);
    },
  );

  it('that is cut off with the file gives a damaged file or none', async () => {
    const world = await setUp();
    const whole = notebook(resource('QUJD'.repeat(1_000)));
    await importFiles(world, evernoteImporter, {
      'a.enex': notebook(resource('QUJD')) + whole.slice(0, whole.length - 500),
    });
    expect(listRecords(world, 'attachments').map(({ text }) => text)).toEqual(['ABC']);
  });

  it.each([1, 3, 7, 64])('of messages is read the same in pieces of %i bytes', async (pieceBytes) => {
    const part = (data: string, text = 'null') =>
      `<part ct="text/plain" text='say data="QUJD"' /><part ct="text/x" name="a.txt" text="${text}" data="${data}"/><part ct='text/x' cl='b.txt' data='${data}'/><part ct="text/x" data="null" /><part ct="text/x" data="" />`;
    const world = await setUp();
    const file = makeInputFile('sms.xml', mms(part('QUJD&#10;REVG', `x`.repeat(300))), pieceBytes);
    await importFiles(world, smsBackupImporter, { 'sms.xml': file });
    expect(listRecords(world, 'messages')).toMatchObject([{ text: 'say data="QUJD"' }]);
    expect(listRecords(world, 'attachments')).toMatchObject([
      { name: 'a.txt', size_bytes: 6, text: 'ABCDEF' },
      { name: 'b.txt', size_bytes: 6, text: 'ABCDEF' },
    ]);
  });

  it('of 40 MB is read to the limit of texts', async () => {
    const world = await setUp();
    const large = Buffer.alloc(40 * 2 ** 20, 'QUJD').toString('latin1');
    const file = makeInputFile('sms.xml', mms(`<part ct="text/x" cl="a.txt" data="${large}"/>`), 65_536);
    const report = await importFiles(world, smsBackupImporter, { 'sms.xml': file });
    expect(report.problems).toEqual([]);
    expect(listRecords(world, 'attachments')).toMatchObject([
      { size_bytes: 30 * 2 ** 20, text_status: 'cut' },
    ]);
  });
});
