import { readTokens } from '../words/tokens.ts';

/** Up to here a run is one word: it is what someone typed to find it as it stands. */
const ONE_WORD = 4;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/**
 * The words in a run of a script without spaces, each as its characters with spaces between, as the index has them.
 * Where the segments end is a guess of the platform's dictionary. The index does not rest on it: it has every character.
 */
export function splitRun(run: string): string[] {
  const characters = [...readTokens(run)].map(({ word }) => word);
  if (characters.length <= ONE_WORD) return [characters.join(' ')];
  const words = [...segmenter.segment(run)].map(({ segment }) =>
    [...readTokens(segment)].map(({ word }) => word).join(' '),
  );
  // Single characters of a sentence are mostly its grammar.
  const long = words.filter((word) => word.includes(' '));
  return long.length > 0 ? long : [characters.join(' ')];
}
