import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../../../support/temp-folder.ts';
import { makeLargeStore, readLargeStore } from './large-reads.ts';

/** Two records of each shape. The whole size is read by hand: npm run large. */
const COUNT = 18;
const BYTES = 3_000_000;
const HEAP_MB = 256;
const MAX_GROWTH_MB = 120;
/** CPU, not time on the clock: other processes may have the machine. Parsing one of these records takes longer. */
const MAX_TURN_CPU_MS = 250;

describe('records of megabytes in every shape, granted and hidden', () => {
  it('cost memory and turns of the event loop by what an answer shows, whichever way they are read', async () => {
    const directory = join(makeFolder(), 'large');
    const handles = await makeLargeStore(directory, COUNT, BYTES);
    const { before, measured } = await readLargeStore(directory, handles, HEAP_MB);
    expect(measured.length).toBeGreaterThan(100);
    expect(measured.filter(({ peak }) => peak > before + MAX_GROWTH_MB)).toEqual([]);
    expect(measured.filter(({ cpu }) => cpu > MAX_TURN_CPU_MS)).toEqual([]);
  });
});
