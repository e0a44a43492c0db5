import { stemmer as arabic } from '@orama/stemmers/arabic';
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as english } from '@orama/stemmers/english';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemmer as swedish } from '@orama/stemmers/swedish';
import type { Language } from './stop-words.ts';

type Stem = (word: string) => string;

const latin: Record<Exclude<Language, 'russian'>, Stem> = {
  english,
  german,
  french,
  spanish,
  italian,
  portuguese,
  dutch,
  swedish,
};

/** Shorter words have no endings to speak of, and what has a digit is a name or a number. */
const SHORTEST = 3;
/** Longer ones are no words of a language: the longest in German dictionaries have under 70 letters. */
export const LONGEST_WORD = 80;

/** How words are cut down to what they share with their other forms, in the languages that a question may be in. */
export function chooseStemmers(word: string, languages: readonly Language[]): Stem[] {
  if (word.length < SHORTEST || word.length > LONGEST_WORD || /\d/.test(word)) return [];
  if (/^\p{Script=Cyrillic}/u.test(word)) return [russian];
  if (/^\p{Script=Arabic}/u.test(word)) return [arabic];
  if (!/^\p{Script=Latin}/u.test(word)) return [];
  const known = languages.flatMap((language) => (language === 'russian' ? [] : [latin[language]]));
  // A question of few words does not say which language it is in. Most that is written is in these two.
  return known.length > 0 ? known : [english, german];
}

/** Tells other forms of a word, by any of its stems, out of words that begin like it. */
export function createFormTest(word: string, stemmers: readonly Stem[]): (other: string) => boolean {
  const stems = stemmers.map((stem) => stem(word));
  return (other) => stemmers.some((stem, at) => stem(other) === stems[at]);
}

/** The beginning that all forms of a word share: its stem without the letter that endings change. */
export function sharedBeginning(word: string, stem: Stem): string {
  const cut = stem(word);
  let length = Math.min(cut.length, word.length, Math.max(4, cut.length - 1));
  while (length > 0 && !word.startsWith(cut.slice(0, length))) length -= 1;
  return word.slice(0, Math.max(SHORTEST, length));
}
