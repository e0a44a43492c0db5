import { expect, it } from 'vitest';
import { describe } from '../describe-engines.ts';
import { checkClubOracle } from './check-club-oracle.ts';

describe('labels, units and me', () => {
  it('are what an oracle reads off the records in view', async () => {
    const told = await checkClubOracle({ runs: 80, seed: 1 });
    for (const [what, times] of Object.entries(told)) expect(times, what).toBeGreaterThan(20);
  });
});
