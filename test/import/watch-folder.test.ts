import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Watched, watchFolder } from '../../src/import/watch-folder.ts';
import { makeZip } from '../support/inputs/make-packs.ts';
import { makeFolder } from '../support/temp-folder.ts';
import { createWorld } from '../support/world.ts';
import { logImporter } from './log-importer.ts';

/** Watches an empty folder until the test says that it is enough. */
async function watch() {
  const world = await createWorld();
  onTestFinished(() => world.close());
  const folder = makeFolder();
  const controller = new AbortController();
  const heard: Watched[] = [];
  let waiting = () => {};
  const ended = watchFolder(world.store, folder, {
    loadImporters: async () => [logImporter],
    options: async () => ({ timeZone: 'UTC' }),
    now: () => new Date(),
    signal: controller.signal,
    everyMs: 30,
    onImported(watched) {
      heard.push(watched);
      waiting();
    },
  });
  return {
    write: (name: string, content: string | Uint8Array) => writeFileSync(join(folder, name), content),
    link: (name: string, target: string) => symlinkSync(target, join(folder, name)),
    hear: (count: number) =>
      new Promise<void>((resolve) => {
        waiting = () => heard.length >= count && resolve();
        waiting();
      }),
    async end() {
      controller.abort();
      await ended;
      return heard.map(({ name, refused, results }) => [name, refused, results[0]?.report.streams.entries]);
    },
  };
}

describe('watching a folder', () => {
  it('imports new files when they have stopped growing, reports unsupported ones, and continues', async () => {
    const { write, hear, end } = await watch();
    write('a.txt.part', 'LOG\ne|p|partial\n');
    write('a.txt', 'LOG\ne|a|one\n');
    await hear(1);
    write('photo.bin', 'nothing');
    await hear(2);
    write('a.txt', 'LOG\ne|a|one\ne|b|two\n');
    await hear(3);
    expect(await end()).toEqual([
      ['a.txt', undefined, { new: 1, changed: 0, same: 0, skipped: 0 }],
      ['photo.bin', 'is not a supported export', undefined],
      ['a.txt', undefined, { new: 1, changed: 0, same: 1, skipped: 0 }],
    ]);
  });

  it('imports a split archive once, when all parts are there', async () => {
    const zip = makeZip([{ path: 'a.txt', content: 'LOG\ne|a|one\n' }]);
    const third = Math.ceil(zip.length / 3);
    const part = (n: number) => zip.subarray((n - 1) * third, n * third);
    const { write, hear, end } = await watch();
    write('pack.zip.001', part(1));
    write('pack.zip.003', part(3));
    await hear(1);
    write('pack.zip.002', part(2));
    await hear(2);
    write('z.txt', 'LOG\ne|z|last\n');
    await hear(3);
    expect(await end()).toEqual([
      [
        'pack.zip',
        'is split into parts, and pack.zip.002 is missing. Add all parts and try again.',
        undefined,
      ],
      ['pack.zip', undefined, { new: 1, changed: 0, same: 0, skipped: 0 }],
      ['z.txt', undefined, { new: 1, changed: 0, same: 0, skipped: 0 }],
    ]);
  });
});

describe('a link in a watched folder', () => {
  it('is not followed, whether to a file or a folder', async () => {
    const elsewhere = makeFolder();
    writeFileSync(join(elsewhere, 'secret.txt'), 'LOG\ne|s|secret\n');
    const { link, hear, end } = await watch();
    link('passwd.txt', join(elsewhere, 'secret.txt'));
    link('home', elsewhere);
    await hear(2);
    const refused = 'is a symbolic link. Links are not followed.';
    expect((await end()).sort()).toEqual([
      ['home', refused, undefined],
      ['passwd.txt', refused, undefined],
    ]);
  });
});
