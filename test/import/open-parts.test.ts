import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { cutZip, makeTar, makeZip } from '../support/inputs/make-packs.ts';
import { makeFolder } from '../support/temp-folder.ts';
import { openTexts } from './open-texts.ts';

const noise = (length: number, seed: number) =>
  Array.from({ length }, (_, i) => String((i * i * 7919 + seed) % 10_007)).join(' ');
const entries = [
  { path: 'a.txt', content: noise(3_000, 1) },
  { path: 'b/b.txt', content: noise(3_000, 2) },
  { path: 'c.txt', content: 'c' },
];
const wanted = Object.fromEntries(entries.map(({ path, content }) => [`pack/${path}`, content]));

async function open(...paths: string[]) {
  const { opened, files } = await openTexts(...paths);
  return { files, problems: opened.problems.map(({ path, reason }) => `${path} ${reason}`) };
}

function cut(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    bytes.subarray(i * size, (i + 1) * size),
  );
}

/** Puts parts into a folder of their own, `pack.zip.001` and so on. */
function putPlain(name: string, bytes: Buffer, size = 4_000): string {
  const folder = makeFolder();
  for (const [i, part] of cut(bytes, size).entries())
    writeFileSync(join(folder, `${name}.${String(i + 1).padStart(3, '0')}`), part);
  return folder;
}

/** `pack.z01` and so on, and `pack.zip` at the end. */
function putCounted(size = 4_000): { folder: string; count: number } {
  const folder = makeFolder();
  const parts = cutZip(entries, size);
  for (const [i, part] of parts.entries()) {
    const isLast = i === parts.length - 1;
    writeFileSync(join(folder, isLast ? 'pack.zip' : `pack.z${String(i + 1).padStart(2, '0')}`), part);
  }
  return { folder, count: parts.length };
}

describe('a split archive', () => {
  it('that was cut by bytes is read as one, whichever part is named', async () => {
    const folder = putPlain('pack.zip', makeZip(entries));
    for (const name of ['pack.zip.001', 'pack.zip.003'])
      expect(await open(join(folder, name))).toEqual({ files: wanted, problems: [] });
    const inFolder = await open(folder);
    expect(Object.values(inFolder.files)).toEqual(Object.values(wanted));
  });

  it('may be a tgz', async () => {
    const folder = putPlain('pack.tgz', gzipSync(makeTar(entries)));
    expect(await open(join(folder, 'pack.tgz.001'))).toEqual({ files: wanted, problems: [] });
  });

  it('that a zip program split is read as one, from any part', async () => {
    const { folder, count } = putCounted();
    expect(count).toBeGreaterThan(3);
    for (const name of ['pack.z01', 'pack.zip'])
      expect(await open(join(folder, name))).toEqual({ files: wanted, problems: [] });
  });

  it('is refused with the name of the missing part', async () => {
    const plain = putPlain('pack.zip', makeZip(entries));
    rmSync(join(plain, 'pack.zip.002'));
    expect(await open(join(plain, 'pack.zip.001'))).toEqual({
      files: {},
      problems: ['pack.zip is split into parts, and pack.zip.002 is missing. Add all parts and try again.'],
    });
    const { folder, count } = putCounted();
    rmSync(join(folder, 'pack.z02'));
    expect((await open(join(folder, 'pack.zip'))).problems).toEqual([
      'pack.zip is split into parts, and pack.z02 is missing. Add all parts and try again.',
    ]);
    const alone = makeFolder();
    writeFileSync(join(alone, 'pack.zip'), cutZip(entries, 4_000).at(-1) as Buffer);
    expect((await open(join(alone, 'pack.zip'))).problems).toEqual([
      `pack is split into ${count} parts, starting with pack.z01, and some are missing. Add all parts and try again.`,
    ]);
    rmSync(join(folder, 'pack.zip'));
    expect((await open(join(folder, 'pack.z01'))).problems[0]).toContain('pack.zip');
  });

  it('without its last part is refused', async () => {
    const folder = putPlain('pack.zip', makeZip(entries));
    const last = cut(makeZip(entries), 4_000).length;
    rmSync(join(folder, `pack.zip.${String(last).padStart(3, '0')}`));
    expect((await open(join(folder, 'pack.zip.001'))).problems).toEqual([
      `pack is split into more than ${last - 1} parts, and the last one is missing. Add all parts and try again.`,
    ]);
  });

  it('is recognised by content, not only by name', async () => {
    const folder = makeFolder();
    mkdirSync(join(folder, 'notes'));
    writeFileSync(join(folder, 'notes', 'list.gz.001'), 'one');
    writeFileSync(join(folder, 'notes', 'list.gz.002'), 'two');
    expect(Object.values((await open(join(folder, 'notes'))).files)).toEqual(['one', 'two']);
  });
});
