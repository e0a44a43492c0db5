import { describe, expect, it } from 'vitest';
import { checkTwoWorlds } from './check-two-worlds.ts';
import { crowdedWorlds } from './crowded-worlds.ts';

describe('two stores that differ only in what a grant hides', () => {
  it('give the same bytes for every tool, option, page and refusal (G-04, G-08, G-09, G-10, G-15)', async () => {
    expect(await checkTwoWorlds({ runs: 40, seed: 20261116 })).toBeGreaterThan(1_000);
  }, 300_000);

  it.each(Object.entries(crowdedWorlds))('%s (G-08)', async (_, check) => {
    await check();
  });
});
