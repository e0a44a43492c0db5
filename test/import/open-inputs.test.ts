import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openInputs } from '../../src/import/open/open-inputs.ts';
import { recogniseInputs } from '../../src/import/recognise.ts';
import { importers } from '../../src/sources/importers.ts';
import { makeTar, makeZip, makeZip64 } from '../support/inputs/make-packs.ts';
import { makeFolder } from '../support/temp-folder.ts';
import { openTexts } from './open-texts.ts';

/** Every file by path with its text, and every refusal. */
async function open(...paths: string[]) {
  const { opened, files } = await openTexts(...paths);
  const problems = Object.fromEntries(opened.problems.map(({ path, reason }) => [path, reason]));
  return { opened, files, problems };
}

function put(name: string, content: Uint8Array | string): string {
  const file = join(makeFolder(), name);
  writeFileSync(file, content);
  return file;
}

describe('opening inputs', () => {
  it('recognises files, folders, zip, gz, tgz and nested archives by content', async () => {
    const folder = makeFolder();
    mkdirSync(join(folder, 'in'));
    writeFileSync(join(folder, 'in', 'a.txt'), 'a');
    writeFileSync(join(folder, 'in', '.DS_Store'), 'x');
    const inner = makeZip([{ path: 'c.txt', content: 'c' }]);
    writeFileSync(
      join(folder, 'odd.name'),
      makeZip([
        { path: 'x/b.txt', content: 'b' },
        { path: 'inner.zip', content: inner },
      ]),
    );
    const { files, problems } = await open(
      folder,
      put('d.txt.gz', gzipSync('d')),
      put('e.tgz', gzipSync(makeTar([{ path: './f/e.txt', content: 'e' }]))),
    );
    const base = folder.split('/').at(-1);
    expect(files).toEqual({
      [`${base}/in/a.txt`]: 'a',
      [`${base}/odd.name/x/b.txt`]: 'b',
      [`${base}/odd.name/inner/c.txt`]: 'c',
      'd.txt': 'd',
      'e/f/e.txt': 'e',
    });
    expect(problems).toEqual({});
  });

  it('leaves an office document in one piece, so that a chat can name it', async () => {
    const document = makeZip([
      { path: '[Content_Types].xml', content: '<Types/>' },
      { path: 'word/document.xml', content: '<x/>' },
    ]);
    const { files, problems } = await open(
      put('letter.docx', document),
      put('a.zip', makeZip([{ path: 'b.docx', content: document }])),
    );
    expect(Object.keys(files)).toEqual(['letter.docx', 'a/b.docx']);
    expect(problems).toEqual({});
  });

  it('reads zip64', async () => {
    const { files, problems } = await open(put('large.zip', makeZip64('a/notes.txt', 'one')));
    expect(files).toEqual({ 'large/a/notes.txt': 'one' });
    expect(problems).toEqual({});
  });

  it('reads an export of several zips as one', async () => {
    const talk = (id: string) =>
      JSON.stringify([
        {
          id,
          title: id,
          create_time: 1,
          update_time: 1,
          current_node: 'n',
          mapping: { n: { id: 'n', parent: null, children: [], message: null } },
        },
      ]);
    const folder = makeFolder();
    const [one, two] = [join(folder, 'export-001.zip'), join(folder, 'export-002.zip')];
    writeFileSync(one, makeZip([{ path: 'conversations-000.json', content: talk('a') }]));
    writeFileSync(two, makeZip([{ path: 'conversations-001.json', content: talk('b') }]));
    const opened = await openInputs([one, two]);
    onTestFinished(() => opened.close());
    const { found } = await recogniseInputs(importers, opened.files);
    expect(found.map(({ importer }) => importer.format)).toEqual(['chatgpt']);
    expect(found.map(({ recognised }) => recognised.files.map(({ path }) => path))).toEqual([
      ['export-001/conversations-000.json', 'export-002/conversations-001.json'],
    ]);
  });

  it('refuses unsafe paths, links and encrypted entries by name and reads the rest', async () => {
    const folder = makeFolder();
    symlinkSync('/etc/passwd', join(folder, 'link'));
    writeFileSync(join(folder, 'fine'), 'fine');
    const zip = makeZip([
      { path: '../../etc/cron', content: 'x' },
      { path: '/root', content: 'x' },
      { path: 'link', content: '/etc/passwd', link: true },
      { path: 'secret', content: 'x', encrypted: true },
      { path: 'good.txt', content: 'good' },
    ]);
    const tar = makeTar([
      { path: '../climb', content: 'x' },
      { path: 'tied', content: '', type: '2' },
      { path: 'good', content: 'too' },
    ]);
    const { files, problems } = await open(folder, put('z.zip', zip), put('t.tar', tar));
    expect(Object.values(files)).toEqual(['fine', 'good', 'too']);
    expect(Object.keys(problems)).toHaveLength(7);
    expect(problems['z/secret']).toMatch(/password-protected/);
    expect(problems['z/../../etc/cron']).toMatch(/outside the archive/);
  });

  it('refuses archive bombs: one entry, overlapping entries, and gz', async () => {
    const zeros = Buffer.alloc(80 * 2 ** 20);
    const { files, problems } = await open(
      put(
        'one.zip',
        makeZip([
          { path: 'big', content: zeros },
          { path: 'small', content: 's' },
        ]),
      ),
      put('big.gz', gzipSync(zeros)),
    );
    expect(problems.one).toMatch(/unusually large/);
    expect(problems.big).toMatch(/unusually large/);
    expect((files.big as string).length).toBeLessThan(zeros.length);
  });

  it('reads the intact part of a damaged zip and reports the damage', async () => {
    const content = Array.from({ length: 20_000 }, (_, i) => `line ${i} ${(i * 7919) % 1009}`).join('\n');
    const zip = makeZip([
      { path: 'a.txt', content },
      { path: 'b.txt', content: 'b' },
    ]);
    zip.fill(0xff, 30_000, 30_050);
    const { files, problems } = await open(put('z.zip', zip));
    expect(content.startsWith((files['z/a.txt'] as string).slice(0, 20_000))).toBe(true);
    expect(files['z/b.txt']).toBe('b');
    expect(problems['z/a.txt']).toMatch(/damaged/);
    expect((await open(put('cut.zip', zip.subarray(0, 40_000)))).problems.cut).toMatch(/incomplete/);
  });

  it('deletes its copies', async () => {
    const { opened } = await open(put('e.tgz', gzipSync(makeTar([{ path: 'e', content: 'e' }]))));
    const copy = (await opened.files[0]?.diskPath()) as string;
    expect(existsSync(copy)).toBe(true);
    opened.close();
    expect(existsSync(dirname(copy))).toBe(false);
  });
});
