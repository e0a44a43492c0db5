import { afterAll, describe, expect, it } from 'vitest';
import { type Engine, engines, useEngine } from '../../../support/stores/engines.ts';
import { checkEquality } from './check-engines.ts';

const RUNS = 10;

describe('the same store on every engine', () => {
  afterAll(() => useEngine(engines[0] as Engine));

  it('gives the same bytes for every tool, option, page and refusal', async () => {
    expect(await checkEquality({ runs: RUNS, seed: 20261118 })).toBeGreaterThan(10 * RUNS);
  }, 600_000);
});
