import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/sqlite/open-store.ts';
import { countTables, ingestBatch } from '../support/fill-store.ts';
import { startScript, waitForEnd } from '../support/run-cli.ts';
import { makeFolder } from '../support/temp-folder.ts';

const PROCESSES = 5;
const BATCH = 50;
/** Long enough for every process to have started, so that all open the folder at once. */
const STARTING_MS = 2_500;

async function openAtOnce(folder: string, firstBatch: number) {
  const at = String(Date.now() + STARTING_MS);
  const children = Array.from({ length: PROCESSES }, (_, i) =>
    waitForEnd(startScript('test/store/open-child.ts', [folder, String(firstBatch + i), at])),
  );
  return Promise.all(children);
}

describe('several processes that open one folder at once', () => {
  it('all open it and lose nothing, whether or not the store exists', async () => {
    const folder = join(makeFolder(), 'data');
    for (let round = 0; round < 3; round++) {
      const results = await openAtOnce(folder, round * PROCESSES);
      for (const { code, out, err } of results) {
        expect({ code, err }).toEqual({ code: 0, err: '' });
        expect(JSON.parse(out)).toEqual({ added: BATCH, same: 0 });
      }
      const store = await openStore(folder);
      const whole = (round + 1) * PROCESSES * BATCH;
      expect(countTables(store)).toMatchObject({
        records: whole,
        facets: whole,
        days: whole,
        texts: whole,
        wrongDays: 0,
      });
      expect(store.write.raw.pragma('integrity_check', { simple: true })).toBe('ok');
      store.close();
    }
    expect(readdirSync(folder).sort()).toEqual([
      'audit.sqlite',
      'folder.lock',
      'server-secret',
      'store.sqlite',
    ]);
  });

  it('do not overwrite files that one of them has just created', async () => {
    const folder = makeFolder();
    const first = await openStore(folder);
    await ingestBatch(first, 1);
    // The second looks at the files while the first has them open, and goes again.
    (await openStore(folder)).close();
    await ingestBatch(first, 2);
    const second = await openStore(folder);
    expect(countTables(second).records).toBe(2 * BATCH);
    first.close();
    second.close();
    const third = await openStore(folder);
    expect(countTables(third).records).toBe(2 * BATCH);
    third.close();
  });
});
