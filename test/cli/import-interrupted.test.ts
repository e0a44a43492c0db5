import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { runCli, startCli, waitForEnd } from '../support/run-cli.ts';
import { makeFolder } from '../support/temp-folder.ts';

const ROWS = 6_000;

/** A table that takes a while, and a way to look at what of it is stored. */
function setUp() {
  const folder = makeFolder();
  const file = join(folder, 'visits.csv');
  const rows = Array.from(
    { length: ROWS },
    (_, i) => `${i},${new Date(Date.UTC(2024, 0, 1) + i * 60_000).toISOString()},a visit to place ${i % 97}`,
  );
  writeFileSync(file, `id,when,what\n${rows.join('\n')}\n`);
  const data = join(folder, 'data');
  const run = (...args: string[]) => runCli([...args, '--data', data]);
  const count = (): number => {
    try {
      const raw = new Database(join(data, 'store.sqlite'), { readonly: true, fileMustExist: true });
      const n = raw.prepare('select count(*) from records').pluck().get() as number;
      raw.close();
      return n;
    } catch {
      return 0; // Not made yet, or just being made.
    }
  };
  return { file, data, run, count };
}

describe('an interrupted import', () => {
  it.each(['SIGKILL', 'SIGINT'] as const)(
    'by %s is completed by running it again, without duplicates or losses, and can be undone',
    { timeout: 240_000 },
    async (signal) => {
      const { file, data, run, count } = setUp();
      const child = startCli(['import', file, '--data', data]);
      const ended = waitForEnd(child);
      while (count() === 0 && child.exitCode === null) await new Promise((wake) => setTimeout(wake, 20));
      child.kill(signal);
      const { err } = await ended;
      if (signal === 'SIGINT') expect(err).toContain('Run the same command again to continue');
      const stored = count();
      expect(stored).toBeGreaterThan(0);
      expect(stored).toBeLessThan(ROWS);

      const again = JSON.parse((await run('import', file, '--json')).out);
      expect(again.imports[0]).toMatchObject({
        state: 'done',
        report: { streams: { rows: { new: ROWS - stored, changed: 0, same: stored, skipped: 0 } } },
      });
      expect(count()).toBe(ROWS);
      expect((await run('verify')).code).toBe(0);

      const imports = JSON.parse((await run('import', 'list', '--json')).out) as { import_id: number }[];
      expect(imports).toHaveLength(2);
      let removed = 0;
      for (const { import_id } of imports)
        removed += JSON.parse((await run('import', 'undo', String(import_id), '--json')).out).removed;
      expect(removed).toBe(ROWS);
      expect(count()).toBe(0);
    },
  );
});
