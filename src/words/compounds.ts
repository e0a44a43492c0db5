import { stemmer as german } from '@orama/stemmers/german';
import { MAX_WORD_CHARACTERS } from './stem.ts';
import type { Language } from './stop-words.ts';

/** Languages that write several words as one. */
const JOINING: ReadonlySet<Language> = new Set(['german', 'dutch', 'swedish']);
/** Shorter words are in other words by chance, and so are shorter rests. */
const MIN_PART_CHARACTERS = 4;
const SHORTEST_REST = 3;
const SHORTEST_WHOLE = 8;
/** In the middle of a word less is telling than at its end, which says what the whole is. */
const SHORTEST_INSIDE = 6;
const LATIN = /^\p{Script=Latin}+$/u;
const VOWEL = /[aeiouy]/;

/** Whether a word may be a part of longer ones, or made of shorter ones, in the languages that a question may be in. */
export function canJoin(word: string, languages: readonly Language[]): boolean {
  if (word.length < MIN_PART_CHARACTERS || word.length > MAX_WORD_CHARACTERS || !LATIN.test(word))
    return false;
  return languages.length === 0 || languages.some((language) => JOINING.has(language));
}

/** What every longer word has in it that a word is a part of: the word without its ending, as the endings of the whole change. */
export function kernelOf(word: string): string {
  const stem = german(word);
  return word.startsWith(stem) && stem.length >= MIN_PART_CHARACTERS ? stem : word;
}

/** How a longer word has a word in it: as its end, in whatever form, or in the middle. What begins with it is no matter of compounds. */
export function findRole(word: string, whole: string): 'end' | 'middle' | undefined {
  if (whole.length < SHORTEST_WHOLE || whole.startsWith(word)) return undefined;
  // The stem of the whole would not do: how much is cut off depends on what stands before.
  const last = whole.lastIndexOf(kernelOf(word));
  if (isRest(whole.slice(0, Math.max(0, last))) && german(whole.slice(last)) === german(word)) return 'end';
  const at = whole.indexOf(word);
  const isInside = word.length >= SHORTEST_INSIDE && at > 0;
  const rests = [whole.slice(0, at), whole.slice(at + word.length)];
  return isInside && rests.every(isRest) ? 'middle' : undefined;
}

function isRest(rest: string): boolean {
  return rest.length >= SHORTEST_REST && VOWEL.test(rest);
}

/** What joins the parts of a word and belongs to neither. */
const JOINTS = ['', 's', 'n', 'en', 'es', 'er', 'e'];

/** The ways to take a word for two, the longest end first: the end, and what the beginning may be without its joint. */
export function splitWord(word: string): { end: string; beginnings: string[] }[] {
  const splits: { end: string; beginnings: string[] }[] = [];
  if (word.length < SHORTEST_WHOLE) return splits;
  for (let at = MIN_PART_CHARACTERS; at <= word.length - MIN_PART_CHARACTERS; at++) {
    const [first, end] = [word.slice(0, at), word.slice(at)];
    if (!VOWEL.test(first) || !VOWEL.test(end)) continue;
    const beginnings = JOINTS.filter((joint) => first.endsWith(joint))
      .map((joint) => first.slice(0, first.length - joint.length))
      .filter((beginning) => beginning.length >= MIN_PART_CHARACTERS);
    splits.push({ end, beginnings });
  }
  return splits;
}
