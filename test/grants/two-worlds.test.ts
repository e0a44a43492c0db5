import { describe, expect, it } from 'vitest';
import type { Theme } from '../support/draw-tale.ts';
import { checkTwoWorlds } from './check-two-worlds.ts';
import { crowdedWorlds } from './crowded-worlds.ts';

/** How many cases of each theme are drawn here; `npm run two-worlds` draws as many as one has time for. */
const CASES: readonly [Theme, number][] = [
  ['plain', 30],
  ['scripts', 45],
  ['long texts', 20],
  ['wide numbers', 25],
  ['declarations', 25],
  ['wandering', 50],
  ['a crowded minute', 2],
  ['a hidden library', 4],
];

describe('two stores that differ only in what a grant hides', () => {
  it.each(CASES)(
    'give the same bytes for every tool, option, page and refusal: %s (G-04, G-08, G-09, G-10, G-15)',
    async (theme, runs) => {
      expect(await checkTwoWorlds({ runs, seed: 20261116, theme })).toBeGreaterThan(5 * runs);
    },
    300_000,
  );

  it.each(Object.entries(crowdedWorlds))('%s (G-08)', async (_, check) => {
    await check();
  });
});
