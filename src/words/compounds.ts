import { stemmer as german } from '@orama/stemmers/german';
import { MAX_WORD_CHARACTERS } from './stem.ts';
import type { Language } from './stop-words.ts';

/** Languages that write compounds as one word. */
const COMPOUNDING: ReadonlySet<Language> = new Set(['german', 'dutch', 'swedish']);
/** Shorter strings occur in other words by chance. */
const MIN_PART_CHARACTERS = 4;
const MIN_REST_CHARACTERS = 3;
const MIN_COMPOUND_CHARACTERS = 8;
/** A part in the middle must be longer: the end names the thing, the middle only qualifies it. */
const MIN_MIDDLE_CHARACTERS = 6;
const LATIN = /^\p{Script=Latin}+$/u;
const VOWEL = /[aeiouy]/;

/** Whether a word may be a compound or a part of one in any of these languages. */
export function canCompound(word: string, languages: readonly Language[]): boolean {
  if (word.length < MIN_PART_CHARACTERS || word.length > MAX_WORD_CHARACTERS || !LATIN.test(word))
    return false;
  return languages.length === 0 || languages.some((language) => COMPOUNDING.has(language));
}

/** Returns the letters that every compound with this word contains: the word without its ending. */
export function compoundStem(word: string): string {
  const stem = german(word);
  return word.startsWith(stem) && stem.length >= MIN_PART_CHARACTERS ? stem : word;
}

/** Returns where a compound contains a word: at its end, in any form, or in the middle. A prefix is not a compound part. */
export function findCompoundRole(word: string, whole: string): 'end' | 'middle' | undefined {
  if (whole.length < MIN_COMPOUND_CHARACTERS || whole.startsWith(word)) return undefined;
  // Stems the part, not the compound: the stemmer removes more or less depending on the letters before.
  const last = whole.lastIndexOf(compoundStem(word));
  if (isRest(whole.slice(0, Math.max(0, last))) && german(whole.slice(last)) === german(word)) return 'end';
  const at = whole.indexOf(word);
  const isInside = word.length >= MIN_MIDDLE_CHARACTERS && at > 0;
  const rests = [whole.slice(0, at), whole.slice(at + word.length)];
  return isInside && rests.every(isRest) ? 'middle' : undefined;
}

function isRest(rest: string): boolean {
  return rest.length >= MIN_REST_CHARACTERS && VOWEL.test(rest);
}

/** Linking letters between the parts of a compound. */
const LINKS = ['', 's', 'n', 'en', 'es', 'er', 'e'];

/** Returns the ways to split a compound in two, longest end first, with the first part without each possible link. */
export function splitWord(word: string): { end: string; beginnings: string[] }[] {
  const splits: { end: string; beginnings: string[] }[] = [];
  if (word.length < MIN_COMPOUND_CHARACTERS) return splits;
  for (let at = MIN_PART_CHARACTERS; at <= word.length - MIN_PART_CHARACTERS; at++) {
    const [first, end] = [word.slice(0, at), word.slice(at)];
    if (!VOWEL.test(first) || !VOWEL.test(end)) continue;
    const beginnings = LINKS.filter((link) => first.endsWith(link))
      .map((link) => first.slice(0, first.length - link.length))
      .filter((beginning) => beginning.length >= MIN_PART_CHARACTERS);
    splits.push({ end, beginnings });
  }
  return splits;
}
