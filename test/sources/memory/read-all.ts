import { openInputs } from '../../../src/import/open/open-inputs.ts';
import { recogniseInputs } from '../../../src/import/recognise-inputs.ts';
import { importers } from '../../../src/sources/importers.ts';

/** Run as a process of its own, with little memory: reads an export to its end, and keeps all of it if it is told to. */
const [file, habit] = process.argv.slice(2) as [string, string | undefined];
const options = { timeZone: 'Europe/Berlin' };
const opened = await openInputs([file]);
const { found } = await recogniseInputs(importers, opened.files);
const kept: unknown[] = [];
let records = 0;
for (const { importer, recognised } of found) {
  await importer.declare(recognised, options);
  for await (const item of importer.read(recognised, options)) {
    if (item.kind === 'record') records += 1;
    if (habit === 'keep') kept.push(item);
  }
}
process.stdout.write(JSON.stringify({ formats: found.map(({ importer }) => importer.format), records }));
opened.close();
