import type { Active } from './mutate-scope.ts';

/** Leaks that were found by attack and closed, each put back as it was. */

type Bound = typeof import('../../../../src/store/large/long-text.ts');
type Dictionary = typeof import('../../../../src/search/dictionary.ts');
type Rounding = typeof import('../../../../src/store/round-sum.ts');

/** Only values of records that are large as a whole are cut, so that a hidden text decides about a visible one. */
export function mutateBounds(real: Bound, active: Active): Bound {
  return {
    ...real,
    boundValues: (record) =>
      active.mutant === 'shortens records before projecting them' ? { record } : real.boundValues(record),
  };
}

const MANY_WORDS = 150;

/** With many words around, hidden ones included, the dictionary is made anew in another way. */
export function mutateDictionary(real: Dictionary, active: Active): Dictionary {
  return {
    ...real,
    createDictionary(readWords, ...rest) {
      const plain = real.createDictionary(readWords, ...rest);
      const anew = real.createDictionary(
        async (after, limit) => {
          const { words, last } = await readWords(after, limit);
          return { words: words.map((word) => word.replace(/\p{M}/gu, '')), last };
        },
        ...rest,
      );
      return {
        ...plain,
        async findSimilar(word) {
          if (active.mutant !== 'makes its dictionary anew when there is much')
            return plain.findSimilar(word);
          const { words } = await readWords(0, MANY_WORDS);
          return words.length < MANY_WORDS ? plain.findSimilar(word) : anew.findSimilar(word);
        },
      };
    },
  };
}

/** Sums are shown as the database made them, in the order in which it met the records. */
export function mutateRounding(real: Rounding, active: Active): Rounding {
  return {
    ...real,
    roundNear: (near, size, counted = 1) =>
      active.mutant === 'adds floats in the order they lie in'
        ? near / counted
        : real.roundNear(near, size, counted),
  };
}
