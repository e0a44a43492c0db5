import { describe, expect, it } from 'vitest';
import { countCases } from '../../../support/stores/count-cases.ts';
import type { Theme } from '../draw/draw-tale.ts';
import { checkTwoWorlds } from './check-two-worlds.ts';

/** Draws so many cases of each theme; `npm run two-worlds` draws as many as one has time for. */
export function describeTwoWorlds(cases: readonly (readonly [Theme, number])[]): void {
  describe('two stores that differ only in what a grant hides', () => {
    it.each(cases)(
      'G-04 G-08 G-09 G-10 G-15 give the same bytes for every tool, option, page and refusal: %s',
      async (theme, all) => {
        const runs = countCases(all);
        expect(await checkTwoWorlds({ runs, seed: 20261116, theme })).toBeGreaterThan(5 * runs);
      },
      300_000,
    );
  });
}
