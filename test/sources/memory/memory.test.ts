import { execFile } from 'node:child_process';
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { findChild } from '../../support/processes/build.ts';
import { useFolder } from '../../support/temp-folder.ts';
import { type LargeExport, largeExports } from './large-exports.ts';

const run = promisify(execFile);
const BYTES = 2e6;
/** What the program itself takes, and some. */
const HEAP_MB = 64;
/** What more may be held in the second half of the file; keeping all that it holds takes more. */
const MAX_GROWTH_MB = 2;

interface Reading {
  readonly formats: string[];
  readonly records: number;
  readonly grownMb: number;
}

function write(folder: string, one: LargeExport, most = BYTES): { file: string; items: number } {
  const file = join(folder, one.file);
  const fd = openSync(file, 'w');
  let bytes = writeSync(fd, one.begin ?? '');
  let items = 0;
  while (bytes < most) {
    let piece = '';
    for (let n = 0; n < 500; n++) piece += one.item(items++);
    bytes += writeSync(fd, piece);
  }
  writeSync(fd, one.end ?? '');
  closeSync(fd);
  return { file, items };
}

async function read(habit: 'forget' | 'keep', files: readonly string[]): Promise<Reading[]> {
  const script = findChild('test/sources/memory/read-all-child.ts');
  const limits = [`--max-old-space-size=${HEAP_MB}`, '--expose-gc'];
  const { stdout } = await run(process.execPath, [...limits, script, habit, ...files]);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Reading);
}

describe('memory while a large file is read', { timeout: 600_000 }, () => {
  const folder = useFolder();
  let written: ReturnType<typeof write>[] = [];
  let readings: Reading[] = [];
  beforeAll(async () => {
    written = largeExports.map((one) => write(folder, one));
    readings = await read(
      'forget',
      written.map(({ file }) => file),
    );
  }, 600_000);

  it.each(largeExports.map((one, index) => [`${one.format}: ${one.file}`, one, index] as const))(
    'does not grow with %s',
    (_, one, index) => {
      const { formats, records, grownMb } = readings[index] as Reading;
      expect(formats).toEqual([one.format]);
      // A track is one record with its points beside it.
      expect(records).toBeGreaterThanOrEqual(written[index]?.items as number);
      expect(grownMb).toBeLessThan(MAX_GROWTH_MB);
    },
  );

  it('grows measurably if all records are kept', async () => {
    const larger = join(folder, 'larger');
    mkdirSync(larger);
    // The last third of what comes out of a mailbox are its threads, which take little: so it has to be a larger one.
    const files = largeExports.slice(0, 3).map((one) => write(larger, one, 3 * BYTES).file);
    const readings = await read('keep', files);
    expect(readings.map(({ grownMb }) => grownMb > MAX_GROWTH_MB)).toEqual([true, true, true]);
  });
});
