import { describe, expect, it } from 'vitest';
import type { Theme } from '../support/draw-tale.ts';
import { checkTwoWorlds } from './check-two-worlds.ts';

/** How many cases of each theme are drawn here; `npm run two-worlds` draws as many as one has time for. */
const CASES: readonly [Theme, number][] = [
  ['plain', 30],
  ['scripts', 45],
  ['long texts', 20],
  ['declarations', 25],
];

describe('two stores that differ only in what a grant hides', () => {
  it.each(CASES)(
    'G-04 G-08 G-09 G-10 G-15 give the same bytes for every tool, option, page and refusal: %s',
    async (theme, runs) => {
      expect(await checkTwoWorlds({ runs, seed: 20261116, theme })).toBeGreaterThan(5 * runs);
    },
    300_000,
  );
});
