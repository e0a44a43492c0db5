import { describe, expect, it, onTestFinished } from 'vitest';
import { recogniseInputs } from '../../src/import/recognise.ts';
import { type RunOptions, runImport } from '../../src/import/run-import.ts';
import { loadCatalog } from '../../src/schema-index/catalog.ts';
import { genericImporter } from '../../src/sources/generic/generic-importer.ts';
import { makeInputFile } from '../support/input-file.ts';
import { createWorld, NOW } from '../support/world.ts';

async function setUp() {
  const world = await createWorld({ timeZone: 'UTC' });
  onTestFinished(() => world.close());
  return async (text: string, run: Partial<RunOptions> = {}) => {
    const { found } = await recogniseInputs([genericImporter], [makeInputFile('journal.csv', text)]);
    const one = found[0] as (typeof found)[0];
    const options = { options: { timeZone: 'UTC' }, now: () => NOW, ...run };
    const result = await runImport(world.store, one, options);
    return { result, catalog: await loadCatalog(world.store.read), one };
  };
}

const rows = (...lines: string[]) => `${lines.join('\n')}\n`;

describe('a file of the same name', () => {
  it('keeps the time column that an earlier version chose and duplicates no record', async () => {
    const importFile = await setUp();
    const text = rows(
      'id,created,modified,note',
      '1,2024-01-01T10:00:00Z,2024-05-01T10:00:00Z,one',
      '2,2024-01-02T10:00:00Z,2024-05-02T10:00:00Z,two',
      '3,2024-01-03T10:00:00Z,2024-05-03T10:00:00Z,three',
    );
    const { found } = await recogniseInputs([genericImporter], [makeInputFile('journal.csv', text)]);
    const { recognised } = found[0] as (typeof found)[0];
    const guessed = await genericImporter.declare(recognised, { timeZone: 'UTC' });
    expect(guessed.streams[0]?.consent_time_field).toBe('created');
    const streams = guessed.streams.map((stream) => ({
      ...stream,
      cursor_field: 'modified',
      consent_time_field: 'modified',
    }));
    const first = await importFile(text, { declaration: { ...guessed, streams } });
    const again = await importFile(text);
    expect(again.result.report).toMatchObject({ connection_id: first.result.report.connection_id });
    expect(Object.values(again.result.report.streams)).toEqual([{ new: 0, changed: 0, same: 3, skipped: 0 }]);
    expect(again.catalog.streams[0]?.timeField?.name).toBe('modified');
  });

  it('with other columns becomes a source of its own', async () => {
    const importFile = await setUp();
    await importFile(rows('id,day,steps', '1,2024-01-01,5', '2,2024-01-02,6', '3,2024-01-03,7'));
    const { result, catalog } = await importFile(
      rows('steps,day,who', 'many,2024-01-01,Ana', 'few,2024-01-02,Bo', 'none,2024-01-03,Cleo'),
    );
    expect(result).toMatchObject({ state: 'done', report: { connection: 'new' } });
    expect(catalog.connections).toHaveLength(2);
  });

  it('that lacks a column of the earlier file goes into the same connection', async () => {
    const importFile = await setUp();
    await importFile(rows('id,day,note', '1,2024-01-01,a', '2,2024-01-02,b', '3,2024-01-03,c'));
    const { result, catalog } = await importFile(
      rows('id,day', '1,2024-01-01', '2,2024-01-02', '3,2024-01-03', '4,2024-01-04'),
    );
    expect(result.report.connection).toBe('same');
    expect(catalog.connections).toHaveLength(1);
  });
});
