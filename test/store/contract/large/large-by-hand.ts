import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeLargeStore, readLargeStore } from './large-reads.ts';

/** Reads 200 records of 16 MB in every way and says what each read has cost. Needs 12 GB of disk and some minutes. */
const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '200' },
    megabytes: { type: 'string', default: '16' },
    'heap-mb': { type: 'string', default: '256' },
  },
});
const MAX_MEMORY_MB = 300;
const MAX_TURN_MS = 100;

const folder = mkdtempSync(join(tmpdir(), 'pdpp-large-'));
try {
  const directory = join(folder, 'store');
  const handles = await makeLargeStore(directory, Number(values.records), Number(values.megabytes) * 1e6);
  const { before, measured } = await readLargeStore(directory, handles, Number(values['heap-mb']));
  const peak = Math.max(...measured.map((one) => one.peak));
  const slow = measured.filter((one) => one.delay > MAX_TURN_MS);
  process.stdout.write(
    `${measured.length} reads; memory before ${before.toFixed(0)} MB, at most ${peak.toFixed(0)} MB\n`,
  );
  process.stdout.write('longest turns of the event loop (ms on the clock, ms of CPU):\n');
  for (const { name, cpu, delay } of measured.toSorted((a, b) => b.delay - a.delay).slice(0, 10))
    process.stdout.write(`${delay.toFixed(0).padStart(6)} ${cpu.toFixed(0).padStart(6)}  ${name}\n`);
  if (peak - before > MAX_MEMORY_MB || slow.length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
