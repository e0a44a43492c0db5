import { openInputs } from '../../../src/import/open/open-inputs.ts';
import { recogniseInputs } from '../../../src/import/recognise.ts';
import { importers } from '../../../src/sources/importers.ts';

/**
 * Run as a process of its own, with little memory: reads exports to their end, one after another, and keeps all that
 * comes out of each if it is told to. Says of each how much more memory was held at most in its second half than in its first: what is
 * there once, such as buffers, does not count. One process for all of them, because loading the program costs more
 * than reading one of them.
 */
const [habit, ...files] = process.argv.slice(2) as [string, ...string[]];
const options = { timeZone: 'Europe/Berlin' };
const LOOK_EVERY = 1_000;
const collectGarbage = globalThis.gc as () => void;

function measureHeld(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

for (const file of files) {
  const opened = await openInputs([file]);
  const { found } = await recogniseInputs(importers, opened.files);
  const held: number[] = [];
  const kept: unknown[] = [];
  let records = 0;
  for (const { importer, recognised } of found) {
    await importer.declare(recognised, options);
    for await (const item of importer.read(recognised, options)) {
      if (item.kind !== 'record') continue;
      records += 1;
      if (habit === 'keep') kept.push(item);
      if (records % LOOK_EVERY === 0) held.push(measureHeld());
    }
  }
  opened.close();
  const formats = found.map(({ importer }) => importer.format);
  const half = held.length >> 1;
  const grownMb = (Math.max(...held.slice(half)) - Math.max(...held.slice(0, half))) / 1e6;
  process.stdout.write(`${JSON.stringify({ formats, records, grownMb })}\n`);
}
