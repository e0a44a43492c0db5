import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { makeBackup } from '../../src/store/sqlite/backup/make-backup.ts';
import { openStore } from '../../src/store/sqlite/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { countTables, ingestBatch } from '../support/fill-store.ts';
import { runCli, startScript, waitForEnd } from '../support/run-cli.ts';
import { listModes, modeOf } from '../support/stores/modes.ts';
import { makeFolder } from '../support/temp-folder.ts';

const options = () => ({ now: new Date(), version: 'test' });

/** One line per record of a store, in order. */
function dump(file: string): string {
  const database = new Database(file, { readonly: true });
  const rows = database.prepare('select stream_id, key, t, seq, data from records order by 1, 2').all();
  database.close();
  return JSON.stringify(rows);
}

function countOf(file: string): number {
  const database = new Database(file, { readonly: true });
  const n = database.prepare('select count(*) from records').pluck().get() as number;
  database.close();
  return n;
}

async function fillStore(folder: string): Promise<Store> {
  const store = await openStore(folder);
  for (let batch = 0; batch < 4; batch += 1) await ingestBatch(store, batch, 500);
  return store;
}

describe('pdpp backup', () => {
  it('D-06 copies store, audit and key while the store is open, readable by the owner only, and reports its contents', async () => {
    const folder = makeFolder();
    const target = makeFolder();
    const store = await fillStore(folder);
    const { code, out, err } = await runCli(['backup', target, '--data', folder, '--json']);
    expect([code, err]).toEqual([0, '']);
    const report = JSON.parse(out) as { path: string; bytes: number; counts: Record<string, number> };
    expect(report.counts).toMatchObject({ records: 2_000, facets: 2_000, connections: 1, audit: 0 });
    expect(readdirSync(target)).toEqual([report.path.slice(target.length + 1)]);
    expect(readdirSync(report.path).sort()).toEqual([
      'audit.sqlite',
      'backup.json',
      'server-secret',
      'store.sqlite',
    ]);
    expect(modeOf(report.path)).toBe('700');
    expect(new Set(Object.values(listModes(report.path)))).toEqual(new Set(['600']));
    expect(readFileSync(join(report.path, 'server-secret'))).toEqual(
      readFileSync(join(folder, 'server-secret')),
    );
    expect(dump(join(report.path, 'store.sqlite'))).toBe(dump(join(folder, 'store.sqlite')));
    store.close();
    const text = await runCli(['backup', target, '--data', folder]);
    expect(text.out).toMatch(
      /^Backup written and verified: .*\n.*MB: 2,000 records, 0 grants, .* and the server secret\.\n/,
    );
  });

  it('D-06 is a snapshot while others write', async () => {
    const folder = makeFolder();
    const store = await fillStore(folder);
    const writer = startScript('test/support/processes/ingest-child.ts', [folder, '100']);
    const ended = waitForEnd(writer);
    await new Promise((resolve) => writer.stdout.once('data', resolve));
    const target = makeFolder();
    const sizes: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const { path, manifest } = await makeBackup(store, target, options());
      expect(manifest.counts.records).toBe(manifest.counts.facets);
      const copy = await openStore(path);
      const { records = 0 } = manifest.counts;
      expect(countTables(copy)).toMatchObject({ records, facets: records, days: records, texts: records });
      // Whole batches: 500 by the test, 50 by the writer.
      expect(records % 50).toBe(0);
      copy.close();
      sizes.push(records);
    }
    writer.kill('SIGKILL');
    await ended;
    expect(sizes[2]).toBeGreaterThan(sizes[0] as number);
    store.close();
  });

  it('publishes no incomplete backup', async () => {
    const folder = makeFolder();
    const store = await openStore(folder);
    await ingestBatch(store, 1);
    const target = join(makeFolder(), 'not', 'there', 'yet');
    await makeBackup(store, target, options());
    expect(readdirSync(target)).toHaveLength(1);
    const file = join(makeFolder(), 'file');
    writeFileSync(file, 'mine');
    await expect(makeBackup(store, file, options())).rejects.toMatchObject({ code: 'invalid_argument' });
    // An unfinished backup that another process may still be writing is kept.
    mkdirSync(join(target, '.pdpp-2026.1.new'));
    await makeBackup(store, target, options());
    expect(existsSync(join(target, '.pdpp-2026.1.new'))).toBe(true);
    store.close();
    expect(countOf(join(target, readdirSync(target).sort().at(-1) as string, 'store.sqlite'))).toBe(50);
  });
});
