import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkDeclaration } from '../../src/schema-index/check-declaration.ts';
import { collect, makeInputFile } from '../support/input-file.ts';
import { stepsImporter } from './steps-importer.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

describe('the example of docs/writing-an-importer.md', () => {
  it('is the one that is run here, and short', () => {
    const shown = /```ts\n([\s\S]*?)```/.exec(read('../../docs/writing-an-importer.md'))?.[1] ?? '';
    const run = read('./steps-importer.ts')
      .replaceAll("'../../src/sources/", "'../")
      .replaceAll("'../../src/", "'../../");
    expect(shown).toBe(run);
    expect(shown.split('\n').length).toBeLessThan(61);
  });

  it('reads what it says it reads', async () => {
    const csv =
      'Steps of Anna\nmade by the app\n\nDay;Steps;Note\n03.04.2024;5000;rain\n;7;\n04.04.2024;6000;\n';
    const found = await collect(stepsImporter, [
      makeInputFile('steps.csv', csv),
      makeInputFile('b.csv', 'a,b\n'),
    ]);
    expect(found.recognised.map(({ account }) => account)).toEqual(['Anna']);
    expect(found.records).toEqual({
      days: [
        { day: '2024-04-03', steps: 5000, note: 'rain' },
        { day: '2024-04-04', steps: 6000, note: '' },
      ],
    });
    expect(found.problems).toEqual([{ path: 'steps.csv', place: 'line 6', reason: 'has no day' }]);
    expect(found.self).toEqual(['Anna']);
    checkDeclaration(await stepsImporter.declare({ files: [], certainty: 'certain' }, { timeZone: 'UTC' }));
  });
});
