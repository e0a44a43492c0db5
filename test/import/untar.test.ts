import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openInputs } from '../../src/import/open/open-inputs.ts';
import { makeFolder } from '../support/temp-folder.ts';

/** Packs with the tar of this machine, then opens what it made. */
async function openTar(
  files: Readonly<Record<string, string>>,
  options: readonly string[],
  change: (bytes: Buffer) => Buffer = (bytes) => bytes,
) {
  const folder = makeFolder();
  mkdirSync(join(folder, 'in'));
  for (const [path, content] of Object.entries(files)) writeFileSync(join(folder, 'in', path), content);
  return openMade(folder, [...options, '-C', join(folder, 'in'), ...Object.keys(files)], change);
}

async function openMade(
  folder: string,
  words: readonly string[],
  change: (bytes: Buffer) => Buffer = (bytes) => bytes,
) {
  const file = join(folder, 'x.tar');
  execFileSync('tar', ['-cf', file, ...words]);
  writeFileSync(file, change(readFileSync(file)));
  const opened = await openInputs([file]);
  onTestFinished(() => opened.close());
  const contents = opened.files.map(async ({ path, diskPath }) => [
    path,
    readFileSync(await diskPath(), 'utf8'),
  ]);
  return { files: Object.fromEntries(await Promise.all(contents)), problems: opened.problems };
}

const long = `${'long name '.repeat(20)}ü.txt`;
const half = 'half of a line\n'.repeat(500);

describe('a tar', () => {
  it.each(['gnu', 'posix', 'ustar'])('of the format %s is unpacked', async (format) => {
    const name = format === 'ustar' ? 'short.txt' : long;
    const { files, problems } = await openTar({ [name]: 'one', empty: '' }, [`--format=${format}`]);
    expect(files).toEqual({ [`x/${name}`]: 'one', 'x/empty': '' });
    expect(problems).toEqual([]);
  });

  it('that is cut off yields the readable part of the last file', async () => {
    const cut = (bytes: Buffer) => bytes.subarray(0, 512 + 1_000);
    const { files, problems } = await openTar({ a: half, b: 'never' }, ['--format=ustar'], cut);
    expect(files).toEqual({ 'x/a': half.slice(0, 1_000) });
    expect(problems).toEqual([{ path: 'x/a', reason: 'is cut off. Download it again.' }]);
  });

  it('that is damaged yields the files before the damage', async () => {
    const damage = (bytes: Buffer) => bytes.fill('x', 1_024, 1_034);
    const { files, problems } = await openTar({ a: 'fine', b: 'lost' }, ['--format=ustar'], damage);
    expect(files).toEqual({ 'x/a': 'fine' });
    expect(problems).toEqual([
      { path: 'x', reason: 'is damaged. Files after the damage were skipped. Download it again.' },
    ]);
  });

  it('with a name of a gigabyte is reported as damaged and uses no memory', async () => {
    const inflate = (bytes: Buffer) => {
      bytes.write('07346545000\0', 124, 'latin1');
      bytes.write('        ', 148, 'latin1');
      const sum = bytes.subarray(0, 512).reduce((total, byte) => total + byte, 0);
      bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
      return bytes;
    };
    const { files, problems } = await openTar({ [long]: 'one' }, ['--format=gnu'], inflate);
    expect(files).toEqual({});
    expect(problems).toHaveLength(1);
  });

  it('refuses links and sparse files with their names', async () => {
    const folder = makeFolder();
    symlinkSync('/etc/passwd', join(folder, 'link'));
    writeFileSync(join(folder, 'sparse'), 'begins');
    truncateSync(join(folder, 'sparse'), 5_000_000);
    writeFileSync(join(folder, 'fine'), 'fine');
    const words = ['--sparse', '--format=gnu', '-C', folder, 'link', 'sparse', 'fine'];
    const { files, problems } = await openMade(folder, words);
    expect(files).toEqual({ 'x/fine': 'fine' });
    const reason = 'is a link or a device, which is not imported';
    expect(problems).toEqual([
      { path: 'x/link', reason },
      { path: 'x/sparse', reason },
    ]);
  });
});
