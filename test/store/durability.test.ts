import { describe, expect, it } from 'vitest';
import { ingestLines } from '../../src/ingest/ingest-lines.ts';
import { openStore } from '../../src/store/sqlite/open-store.ts';
import { batchLines, countTables, setUpDiary } from '../support/fill-store.ts';
import { startScript } from '../support/run-cli.ts';
import { makeFolder } from '../support/temp-folder.ts';

const BATCH = 50;
/** More by hand: PDPP_KILL_ROUNDS=200. */
const ROUNDS = Number(process.env.PDPP_KILL_ROUNDS ?? 20);

/** Lets a process ingest, kills it some milliseconds after its first acknowledged batch, and returns what it acknowledged. */
async function ingestAndKill(folder: string, first: number, afterMs: number): Promise<number[]> {
  const child = startScript('test/support/processes/ingest-child.ts', [folder, String(first)]);
  let out = '';
  const closed = new Promise((resolve) => child.on('close', resolve));
  child.stdout.on('data', (chunk: Buffer) => {
    if (out === '') setTimeout(() => child.kill('SIGKILL'), afterMs);
    out += chunk.toString();
  });
  await closed;
  expect(child.signalCode).toBe('SIGKILL');
  return out.split('\n').filter(Boolean).map(Number);
}

/** Kills an ingest into the folder again and again, looking at the store each time; returns the next batch. */
async function survive(folder: string, rounds: number): Promise<number> {
  let next = 0;
  for (let round = 0; round < rounds; round++) {
    const acknowledged = await ingestAndKill(folder, next, Math.random() * 60);
    expect(acknowledged.length).toBeGreaterThan(0);
    next = (acknowledged.at(-1) as number) + 1;
    const store = await openStore(folder);
    const inBatch = store.write.raw.prepare('select count(*) from records where key glob ?').pluck();
    for (const batch of acknowledged) expect(inBatch.get(`b${batch}-*`)).toBe(BATCH);
    // The batch under way was acknowledged by nobody: it is there whole or not at all.
    const underWay = inBatch.get(`b${next}-*`) as number;
    expect([0, BATCH]).toContain(underWay);
    const whole = next * BATCH + underWay;
    expect(countTables(store)).toEqual({
      records: whole,
      facets: whole,
      days: whole,
      texts: whole,
      strayTexts: 0,
      strayFacets: 0,
      wrongDays: 0,
    });
    store.close();
  }
  return next;
}

describe('an ingest that is killed', () => {
  it('D-01 leaves complete batches and consistent tables, and can be repeated without duplicates', async () => {
    const folders = [makeFolder(), makeFolder()];
    const ends = await Promise.all(folders.map((folder) => survive(folder, ROUNDS / folders.length)));
    for (const [index, folder] of folders.entries()) {
      const next = ends[index] as number;
      const store = await openStore(folder);
      const stream = await setUpDiary(store);
      const lines = Array.from({ length: next + 1 }, (_, batch) => batchLines(batch)).flat();
      await ingestLines(store.write, stream, 'UTC', lines);
      const all = lines.length;
      expect(countTables(store)).toMatchObject({ records: all, facets: all, days: all, texts: all });
      // Every record was written once: no change number was used for one that was sent again.
      const seq = store.write.raw.prepare(`select value from counters where name = 'seq'`).pluck().get();
      expect(seq).toBe(all);
      store.close();
    }
  });
});
