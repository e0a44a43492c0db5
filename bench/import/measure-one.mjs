import { openInputs } from '../out/compiled/src/import/open/open-inputs.js';
import { recogniseInputs } from '../out/compiled/src/import/recognise.js';
import { runImport } from '../out/compiled/src/import/run-import.js';
import { setTimeZone } from '../out/compiled/src/schema-index/edit-catalog.js';
import { importers } from '../out/compiled/src/sources/importers.js';
import { openStore } from '../out/compiled/src/store/sqlite/open-store.js';

/**
 * Run as a process of its own, so that its peak of memory is its own: measures reading alone, then importing. What is
 * measured is what is built, because running TypeScript as it is costs a sixth more.
 */
const [file, data] = process.argv.slice(2);
const options = { timeZone: 'Europe/Berlin' };
const store = await openStore(data);
await setTimeZone(store.write, options.timeZone);
const opened = await openInputs([file]);
const { found } = await recogniseInputs(importers, opened.files);
const one = found[0];
if (one === undefined) throw new Error('nothing was recognised');

const seconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};
const begun = seconds();
await one.importer.declare(one.recognised, options);
for await (const _ of one.importer.read(one.recognised, options));
const read = seconds();
const { report } = await runImport(store, one, { options, now: () => new Date() });
const done = seconds();
const records = Object.values(report.streams).reduce((sum, counts) => sum + counts.new, 0);
console.log(
  JSON.stringify({
    format: report.format,
    records,
    bytes: report.bytes,
    readSeconds: read - begun,
    importSeconds: done - read,
    peakMb: Math.round(process.resourceUsage().maxRSS / 1_024),
  }),
);
opened.close();
store.close();
