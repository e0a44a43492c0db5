import { describe, expect, it } from 'vitest';
import { checkOracle } from './check-oracle.ts';

describe('the five tools under any grant (G-17)', () => {
  it('answer what a plain in-memory oracle says, for thousands of requests', async () => {
    expect(await checkOracle({ runs: 110, seed: 20261116 })).toBeGreaterThan(3_000);
  }, 300_000);
});
