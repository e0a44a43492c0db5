/** Random choices that a number decides, so that a failing case can be run again by its seed. */
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

export function createDraw(seed: number): Draw {
  const random = createRandom(seed);
  const upTo = (most: number): number => Math.floor(random() * (most + 1));
  const chance = (percent: number): boolean => random() * 100 < percent;
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

/** Mulberry32: neighbouring seeds give unrelated cases, which is all that is asked of it. */
function createRandom(seed: number): () => number {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** How often a property runs, and from which seed: the case with seed 7 is the same whichever run it is part of. */
export interface Runs {
  readonly runs: number;
  readonly seed: number;
}

/** Runs a property. A case is a whole store, so a failing one is reported by its seed and not shrunk. */
export async function checkDrawn({ runs, seed }: Runs, check: (draw: Draw) => Promise<void>): Promise<void> {
  for (let at = seed; at < seed + runs; at++) {
    try {
      await check(createDraw(at));
    } catch (error) {
      throw new Error(`the case with seed ${at} fails: ${messageOf(error)}`, { cause: error });
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
