import { describe, expect, it } from 'vitest';
import { genericImporter } from '../../src/sources/generic/generic-importer.ts';
import { makeInputFile } from '../support/input-file.ts';
import { importAll } from './import-export.ts';

const read = (content: string) => importAll(genericImporter, [makeInputFile('walks.csv', content)]);

describe('a file of any kind', () => {
  it('reports a column with dates in most rows that is not used as time', async () => {
    const { notes, records } = await read('Datum;Steps\n01.02.2024;1200\n15.02.2024;900\nSumme;2100\n');
    expect(records.rows?.at(0)).toEqual({ datum: '01.02.2024', steps: 1200 });
    expect(notes).toContain('walks.csv: no date column found');
    expect(notes).toContain('Datum: only 2 of 3 values are dates, so it is imported as text');
  });

  it('reports skipped columns', async () => {
    const names = Array.from({ length: 250 }, (_, n) => `c${n}`);
    const { notes } = await read(`${names.join(',')}\n${names.map(() => 'x').join(',')}\n`);
    expect(notes).toContain('walks.csv: only the first 199 columns are imported');
  });

  it('does not use a column with repeated values as key', async () => {
    const rows = Array.from({ length: 5_000 }, (_, n) => `${n},w${n}`);
    const { notes } = await read(`id,what\n${rows.join('\n')}\n`);
    expect(notes).toContain('walks.csv: the key is id');
    const again = await read(`id,what\n${rows.join('\n')}\n4000,w\n`);
    expect(again.notes).toContain('walks.csv: no unique ID column found, so keys are made from whole rows');
  });

  it('uses the first id column with unique values as key', async () => {
    const rows = Array.from({ length: 5_000 }, (_, n) => `${n === 4_999 ? 4_000 : n},u${n},w`);
    const { notes } = await read(`id,user_id,what\n${rows.join('\n')}\n`);
    expect(notes).toContain('walks.csv: the key is user_id');
  });

  it('reads damaged UTF-8 as UTF-8', async () => {
    const bytes = Buffer.from('id,what\n1,Café Müller ÄÖÜ äöü\n2,Öl über Äpfel\n');
    bytes[bytes.lastIndexOf(Buffer.from('l über'))] = 0xff;
    const { records } = await importAll(genericImporter, [makeInputFile('things.csv', bytes)]);
    expect(records.rows?.at(0)).toEqual({ id: 1, what: 'Café Müller ÄÖÜ äöü' });
  });

  it('reads by an edited declaration, whose fields find their columns by their titles', async () => {
    const file = makeInputFile('sums.csv', 'id,visits\n1,"1,234"\n2,"2,500"\n');
    const [recognised] = await genericImporter.recognise([file]);
    if (recognised === undefined) throw new Error('It is not recognised.');
    const text = JSON.stringify(await genericImporter.declare(recognised, { timeZone: 'UTC' }));
    const declaration = JSON.parse(text.replace('"visits":{', '"guests":{'));
    const found = [];
    for await (const item of genericImporter.read(recognised, { timeZone: 'UTC', declaration }))
      if (item.kind === 'record') found.push(item.data);
    expect(found).toEqual([
      { id: 1, guests: 1234 },
      { id: 2, guests: 2500 },
    ]);
  });
});
