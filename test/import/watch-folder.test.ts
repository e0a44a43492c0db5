import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Watched, watchFolder } from '../../src/import/watch-folder.ts';
import { logImporter } from '../support/log-importer.ts';
import { makeFolder } from '../support/temp-folder.ts';
import { createWorld } from '../support/world.ts';

describe('watching a folder', () => {
  it('imports what appears once it has stopped growing, says what is no export, and goes on', async () => {
    const world = await createWorld();
    onTestFinished(() => world.close());
    const folder = makeFolder();
    const controller = new AbortController();
    const heard: Watched[] = [];
    let waiting = () => {};
    const hear = (count: number) =>
      new Promise<void>((resolve) => {
        waiting = () => heard.length >= count && resolve();
        waiting();
      });
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
    writeFileSync(join(folder, 'a.txt.part'), 'LOG\ne|p|partial\n');
    writeFileSync(join(folder, 'a.txt'), 'LOG\ne|a|one\n');
    await hear(1);
    writeFileSync(join(folder, 'photo.bin'), 'nothing');
    await hear(2);
    writeFileSync(join(folder, 'a.txt'), 'LOG\ne|a|one\ne|b|two\n');
    await hear(3);
    controller.abort();
    await ended;
    expect(
      heard.map(({ name, refused, results }) => [name, refused, results[0]?.report.streams.entries]),
    ).toEqual([
      ['a.txt', undefined, { new: 1, changed: 0, same: 0, skipped: 0 }],
      ['photo.bin', 'is no export that can be read', undefined],
      ['a.txt', undefined, { new: 1, changed: 0, same: 1, skipped: 0 }],
    ]);
  });
});
