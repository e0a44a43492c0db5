import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openInputs } from '../../src/import/open/open-inputs.ts';
import { recogniseInputs } from '../../src/import/recognise.ts';
import { type RunOptions, runImport } from '../../src/import/run-import.ts';
import { importers } from '../../src/sources/importers.ts';
import type { Store } from '../../src/store/store.ts';
import { createWorld } from '../support/world.ts';

const SAMPLES = '../shared/samples';
const folders = existsSync(SAMPLES)
  ? readdirSync(SAMPLES, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  : [];

/** Imports what is there, each export foretold just before, and compares what was said with what was done. */
async function importForetold(store: Store, path: string) {
  const opened = await openInputs([path]);
  try {
    const { found } = await recogniseInputs(importers, opened.files);
    const counts: Record<string, number>[] = [];
    for (const one of found) {
      const run: RunOptions = {
        options: { timeZone: 'Europe/Berlin' },
        openProblems: opened.problems,
        now: () => new Date(),
      };
      const { report: foretold } = await runImport(store, one, { ...run, dryRun: true });
      const { report: done } = await runImport(store, one, run);
      expect(foretold, path).toEqual(done);
      counts.push(...Object.values(done.streams).map((stream) => ({ ...stream })));
    }
    return counts;
  } finally {
    opened.close();
  }
}

describe.runIf(folders.length > 0)('what a dry run says of the samples', { timeout: 120_000 }, () => {
  it.each(folders.map(({ name }) => [name]))('of %s is what the import then does, twice', async (name) => {
    const world = await createWorld();
    onTestFinished(() => world.close());
    const folder = `${SAMPLES}/${name}`;
    // File by file, so that the second meets what the first has left, and then all of them at once.
    for (const file of readdirSync(folder)) await importForetold(world.store, `${folder}/${file}`);
    await importForetold(world.store, folder);
    const again = await importForetold(world.store, folder);
    expect(again.length).toBeGreaterThan(0);
    for (const stream of again) expect(stream).toMatchObject({ new: 0, changed: 0 });
  });
});
