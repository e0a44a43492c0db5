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

/** Shorter words have hardly any endings. */
const MIN_STEMMED_CHARACTERS = 3;
/** Longer strings are not words: the longest in German dictionaries have fewer than 70 letters. */
export const MAX_WORD_CHARACTERS = 80;

/** Returns the stemmers for a word in the languages that the query may be in. Words with digits have none. */
export function chooseStemmers(word: string, languages: readonly Language[]): Stem[] {
  if (word.length < MIN_STEMMED_CHARACTERS || word.length > MAX_WORD_CHARACTERS || /\d/.test(word)) return [];
  if (/^\p{Script=Cyrillic}/u.test(word)) return [russian];
  if (/^\p{Script=Arabic}/u.test(word)) return [arabic];
  if (!/^\p{Script=Latin}/u.test(word)) return [];
  const known = languages.flatMap((language) => (language === 'russian' ? [] : [latin[language]]));
  // The language of a short query is unknown. Most records are in these two.
  return known.length > 0 ? known : [english, german];
}

/** Returns a test for other forms of a word: words that share a stem with it. */
export function createFormTest(word: string, stemmers: readonly Stem[]): (other: string) => boolean {
  const stems = stemmers.map((stem) => stem(word));
  return (other) => stemmers.some((stem, at) => stem(other) === stems[at]);
}

/** Returns the prefix that all forms of a word share: its stem without the last letter, which endings change. */
export function sharedPrefix(word: string, stem: Stem): string {
  const cut = stem(word);
  let length = Math.min(cut.length, word.length, Math.max(4, cut.length - 1));
  while (length > 0 && !word.startsWith(cut.slice(0, length))) length -= 1;
  return word.slice(0, Math.max(MIN_STEMMED_CHARACTERS, length));
}
