import { openInputs } from '../../../src/import/open/open-inputs.ts';
import { recogniseInputs } from '../../../src/import/recognise.ts';
import { importers } from '../../../src/sources/importers.ts';

/**
 * Run as a process of its own, with little memory: reads exports to their end, one after another, and keeps all records of
 * each with the habit `keep`. Prints for each how much the memory in use grew from the first half of the records to the
 * second. One process reads all exports, because loading the program costs more than reading one of them.
 */
const [habit, ...files] = process.argv.slice(2) as [string, ...string[]];
const options = { timeZone: 'Europe/Berlin' };
const MEASURE_EVERY = 1_000;
const NOISE_MB = 1;
const collectGarbage = globalThis.gc as () => void;

function measureHeld(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

interface Reading {
  readonly formats: string[];
  readonly records: number;
  readonly grownMb: number;
}

async function readOnce(file: string): Promise<Reading> {
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
      if (records % MEASURE_EVERY === 0) held.push(measureHeld());
    }
  }
  opened.close();
  const half = held.length >> 1;
  const grownMb = (Math.max(...held.slice(half)) - Math.max(...held.slice(0, half))) / 1e6;
  return { formats: found.map(({ importer }) => importer.format), records, grownMb };
}

for (const file of files) {
  const first = await readOnce(file);
  // On a busy machine, buffers that are not yet freed count as growth. Records that are kept count in every reading.
  const reading = first.grownMb < NOISE_MB ? first : await readOnce(file);
  const grownMb = Math.min(first.grownMb, reading.grownMb);
  process.stdout.write(`${JSON.stringify({ ...reading, grownMb })}\n`);
}
