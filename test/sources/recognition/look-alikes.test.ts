import { describe, expect, it, onTestFinished } from 'vitest';
import { importEach, recogniseInputs } from '../../../src/import/recognise.ts';
import { runImport } from '../../../src/import/run-import.ts';
import { importers } from '../../../src/sources/importers.ts';
import { makeInputFile } from '../../support/input-file.ts';
import { createWorld } from '../../support/world.ts';
import { lookAlikes } from './look-alikes.ts';

const options = { timeZone: 'Europe/Berlin' };

describe('files that look like others', () => {
  it('are many', () => expect(lookAlikes.length).toBeGreaterThan(50));

  it.each(lookAlikes.map((one) => [`${one.path}: ${one.name}`, one] as const))(
    '%s',
    async (_, { path, content, verdict, records }) => {
      const world = await createWorld();
      onTestFinished(() => world.close());
      const { found } = await recogniseInputs(importers, [makeInputFile(path, content)]);
      const refused: string[] = [];
      const results = await importEach(
        found,
        (one) => runImport(world.store, one, { options, now: () => new Date() }),
        ({ reason }) => refused.push(reason),
      );
      expect([
        ...results.map(({ report }) => report.format),
        ...(results.length === 0 ? ['nothing'] : []),
      ]).toEqual([verdict]);
      const counts = results.flatMap(({ report }) => Object.values(report.streams));
      if (records !== undefined) expect(counts.reduce((sum, one) => sum + one.new, 0)).toBe(records);
      const made = world.store.read.raw.prepare('select count(*) from connections').pluck().get();
      expect(made).toBe(results.length);
    },
  );
});
