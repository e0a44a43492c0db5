import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeZip } from '../support/inputs/make-packs.ts';
import { runCli } from '../support/run-cli.ts';
import { makeFolder } from '../support/temp-folder.ts';

const LETTER = 'Dear Anna,\n\nthank you for your letter, which came on Monday.\n';

async function importFiles(files: Record<string, string | Uint8Array>, given: string, ...args: string[]) {
  const folder = makeFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  if (!existsSync(join(folder, given))) mkdirSync(join(folder, given));
  return runCli(['import', join(folder, given), ...args, '--data', join(folder, 'data')]);
}

/** The same zip with every entry marked as encrypted. */
function encrypt(zip: Uint8Array): Uint8Array {
  const bytes = Buffer.from(zip);
  for (const [mark, flags] of [
    ['PK\x03\x04', 6],
    ['PK\x01\x02', 8],
  ] as const)
    for (let at = bytes.indexOf(mark, 0, 'latin1'); at !== -1; at = bytes.indexOf(mark, at + 1, 'latin1'))
      bytes.writeUInt16LE(bytes.readUInt16LE(at + flags) | 1, at + flags);
  return bytes;
}

describe('pdpp import of unreadable files', () => {
  const zip = makeZip([{ path: 'rows.csv', content: 'id,what\n1,tea\n' }]);
  it.each([
    ['an empty file', { 'x.json': '' }, 'x.json', 'x.json is empty'],
    ['a file of blanks', { 'x.csv': '\n\n' }, 'x.csv', 'x.csv is empty'],
    ['an empty folder', { 'other/x': '' }, 'things', 'things is an empty folder'],
    [
      'a damaged zip',
      { 'x.zip': zip.subarray(0, 60) },
      'x.zip',
      'is damaged or incomplete. Download it again.',
    ],
    [
      'a spreadsheet',
      {
        'x.xlsx': makeZip([
          { path: '[Content_Types].xml', content: '<Types/>' },
          { path: 'xl/workbook.xml', content: '<workbook/>' },
        ]),
      },
      'x.xlsx',
      'x.xlsx is a spreadsheet. Open it and save it as CSV, then import that.',
    ],
    ['a PDF', { 'x.pdf': '%PDF-1.7\n' }, 'x.pdf', 'x.pdf is a PDF. If it is a statement, download it as CSV'],
    ['an export without records', { 'x.json': '[]' }, 'x.json', 'x.json contains no records'],
    ['an encrypted zip', { 'x.zip': encrypt(zip) }, 'x.zip', 'is password-protected. Unpack it first.'],
    [
      'a statement without payments',
      { 'bank.csv': 'Date,Amount,Description,Balance\n' },
      'bank.csv',
      'bank.csv looks like Bank statement (CSV), but contains no records',
    ],
    [
      'the notice about an encrypted Timeline',
      { 'Encrypted Backups.txt': 'Your Timeline backups are encrypted, so they are not in this archive.\n' },
      'Encrypted Backups.txt',
      'says that your Timeline is encrypted and not in this archive',
    ],
  ])('explains what is wrong with %s and gives no useless advice', async (_, files, given, reason) => {
    const { code, err, out } = await importFiles(files as Record<string, string | Uint8Array>, given);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(reason);
    expect(err).not.toContain('--as');
  });

  it('names an unknown file without an empty list of problems', async () => {
    const { code, err } = await importFiles({ 'letter.txt': LETTER }, 'letter.txt');
    expect(code).toBe(2);
    expect(err).toContain('letter.txt');
    expect(err).not.toMatch(/problems:\s*$/m);
    expect(err).toContain('add --as FORMAT');
  });

  it('does not suggest --as if it was given', async () => {
    const { code, err } = await importFiles({ 'letter.txt': LETTER }, 'letter.txt', '--as', 'whatsapp');
    expect(code).toBe(2);
    expect(err).toContain('Nothing readable was found as that format.');
    expect(err).not.toContain('add --as');
  });

  it('names the program folders that it skips', async () => {
    const files = {
      'home/rows.csv': 'id,what\n1,tea\n',
      'home/app/node_modules/left-pad/README.md': '# left-pad\n',
      'home/app/.git/description': 'Unnamed repository, edit this file\n',
    };
    const { code, out } = await importFiles(files, 'home', '--json');
    expect(code).toBe(0);
    const { imports, skipped_folders } = JSON.parse(out);
    expect(imports.map(({ report }: { report: { format: string } }) => report.format)).toEqual(['generic']);
    expect(skipped_folders).toEqual(['home/app/.git', 'home/app/node_modules']);
  });
});
