import { execFile } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../../support/temp-folder.ts';
import { type LargeExport, largeExports } from './large-exports.ts';

const run = promisify(execFile);
const BYTES = 24e6;
/** What the program itself takes, and some. Keeping what 24 MB of an export hold takes more than that. */
const HEAP_MB = 80;

function write(one: LargeExport): { file: string; items: number } {
  const file = join(makeFolder(), one.file);
  const fd = openSync(file, 'w');
  let bytes = writeSync(fd, one.begin ?? '');
  let items = 0;
  while (bytes < BYTES) {
    let piece = '';
    for (let n = 0; n < 500; n++) piece += one.item(items++);
    bytes += writeSync(fd, piece);
  }
  writeSync(fd, one.end ?? '');
  closeSync(fd);
  return { file, items };
}

async function read(file: string, ...habits: string[]): Promise<{ formats: string[]; records: number }> {
  const script = join(import.meta.dirname, 'read-all.ts');
  const limits = [`--max-old-space-size=${HEAP_MB}`, '--import', 'tsx'];
  const { stdout } = await run(process.execPath, [...limits, script, file, ...habits]);
  return JSON.parse(stdout) as { formats: string[]; records: number };
}

describe('memory while a large file is read', { timeout: 180_000 }, () => {
  it.each(largeExports.map((one) => [`${one.format}: ${one.file}`, one] as const))(
    'does not grow with %s',
    async (_, one) => {
      const { file, items } = write(one);
      const { formats, records } = await read(file);
      expect(formats).toEqual([one.format]);
      // A track is one record with its points beside it.
      expect(records).toBeGreaterThanOrEqual(items);
    },
  );

  it('is too little for one who keeps all that is read', async () => {
    const { file } = write(largeExports[0] as LargeExport);
    await expect(read(file, 'keep')).rejects.toThrow();
  });
});
