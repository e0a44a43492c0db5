import { describe, expect, it } from 'vitest';
import type { Theme } from '../support/draw-tale.ts';
import { checkTwoWorlds } from './check-two-worlds.ts';

/** Themes in which what happens when matters. A file of their own, so that two cores share the work. */
const CASES: readonly [Theme, number][] = [
  ['wandering', 50],
  ['wide numbers', 25],
  ['a crowded minute', 2],
  ['a hidden library', 4],
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
