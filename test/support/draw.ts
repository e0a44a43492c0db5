import fc, { type GeneratorValue } from 'fast-check';

/** Random choices that fast-check records, so that a failing case can be run again by its seed. */
export interface Draw {
  /** From 0 up to and including `most`. */
  upTo(most: number): number;
  pick<T>(list: readonly T[]): T;
  /** True in about so many of a hundred cases. */
  chance(percent: number): boolean;
  /** Each one of the list with the same chance. */
  some<T>(list: readonly T[], percent: number): T[];
  shuffle<T>(list: readonly T[]): T[];
}

export function createDraw(generate: GeneratorValue): Draw {
  const upTo = (most: number): number => generate(fc.nat, { max: most });
  const chance = (percent: number): boolean => upTo(99) >= 100 - percent;
  return {
    upTo,
    chance,
    pick: (list) => list[upTo(list.length - 1)] as (typeof list)[number],
    some: (list, percent) => list.filter(() => chance(percent)),
    shuffle<T>(list: readonly T[]) {
      const rest = [...list];
      const result: T[] = [];
      while (rest.length > 0) result.push(...rest.splice(upTo(rest.length - 1), 1));
      return result;
    },
  };
}

/** How often a property runs, and from which seed; the same arguments give the same cases. */
export interface Runs {
  readonly runs: number;
  readonly seed: number;
}

/** Runs a property. A case is a whole store, so a failing one is reported as it is and not shrunk. */
export async function checkDrawn({ runs, seed }: Runs, check: (draw: Draw) => Promise<void>): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.gen(), (generate) => check(createDraw(generate))),
    { numRuns: runs, seed, endOnFailure: true },
  );
}
