import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ASIDE_NOTE, READY, storeFiles } from '../../src/store/sqlite/folder/finish-restore.ts';
import { openStore } from '../../src/store/sqlite/open-store.ts';
import { countTables, ingestBatch } from '../support/fill-store.ts';
import { makeFolder } from '../support/temp-folder.ts';

/** A folder with 50 records, in which a store of 20 waits to take their place. */
async function makeWaiting(): Promise<string> {
  const folder = makeFolder();
  const old = await openStore(folder);
  await ingestBatch(old, 1, 50);
  old.close();
  const other = makeFolder();
  const store = await openStore(other);
  await ingestBatch(store, 2, 20);
  store.close();
  mkdirSync(join(folder, READY));
  for (const name of storeFiles) copyFileSync(join(other, name), join(folder, READY, name));
  writeFileSync(join(folder, READY, ASIDE_NOTE), 'replaced-then');
  return folder;
}

/** Every step of moving the files into place, in order. */
const steps: ((folder: string) => void)[] = [
  (folder) => mkdirSync(join(folder, 'replaced-then')),
  ...storeFiles.flatMap((name) => [
    (folder: string) => renameSync(join(folder, name), join(folder, 'replaced-then', name)),
    (folder: string) => renameSync(join(folder, READY, name), join(folder, name)),
  ]),
  (folder) => rmSync(join(folder, READY, ASIDE_NOTE)),
  (folder) => rmSync(join(folder, READY), { recursive: true }),
];

describe('a restore that was killed after it was decided', () => {
  it.each(steps.map((_, done) => [done]))(
    'D-07 after %i steps is finished by whoever opens the folder',
    async (done) => {
      const folder = await makeWaiting();
      for (const step of steps.slice(0, done)) step(folder);
      const store = await openStore(folder);
      expect(countTables(store)).toMatchObject({ records: 20, facets: 20, days: 20, texts: 20 });
      store.close();
      expect(existsSync(join(folder, READY))).toBe(false);
      const old = await openStore(join(folder, 'replaced-then'));
      expect(countTables(old).records).toBe(50);
      old.close();
    },
  );

  it('D-07 does not happen when it was killed before', async () => {
    const folder = await makeWaiting();
    renameSync(join(folder, READY), join(folder, 'restore.new'));
    const store = await openStore(folder);
    expect(countTables(store).records).toBe(50);
    store.close();
  });

  it('keeps the WAL of the old store with the old store', async () => {
    const folder = await makeWaiting();
    for (const suffix of ['-wal', '-shm']) writeFileSync(join(folder, `store.sqlite${suffix}`), '');
    (await openStore(folder)).close();
    expect(readdirSync(join(folder, 'replaced-then'))).toEqual(
      expect.arrayContaining(['store.sqlite', 'store.sqlite-wal']),
    );
  });
});
