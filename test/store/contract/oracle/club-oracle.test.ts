import { describe, expect, it } from 'vitest';
import { countCases } from '../../../support/stores/count-cases.ts';
import { checkClubOracle } from './check-club-oracle.ts';

const ALL = 80;

describe('labels, units and me', () => {
  it('are what an oracle reads off the records in view', async () => {
    const runs = countCases(ALL);
    const told = await checkClubOracle({ runs, seed: 1 });
    for (const [what, times] of Object.entries(told))
      expect(times, what).toBeGreaterThan(runs === ALL ? 20 : 0);
  });
});
