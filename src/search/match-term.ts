import { isWordCode } from '../words/index-text.ts';
import type { Variants } from './parse-query.ts';

export const EXACT = 8;
export const PREFIX = 5;
export const SIMILAR = 3;

/** More often than this makes no difference. */
export const MOST_TIMES = 4;

/** How well a word of a text fits a term: exactly, as its beginning, as a likely misspelling, or not (0). */
export function matchQuality({ term, prefix, similar }: Variants, word: string): number {
  if (word === term.word) return EXACT;
  if (prefix && word.startsWith(term.word)) return PREFIX;
  return similar.includes(word) ? SIMILAR : 0;
}

/** The best fit of a term in a folded text, and how often it fits in some way, up to MOST_TIMES. */
export function matchTerm(
  folded: string,
  { term, prefix, similar }: Variants,
): { quality: number; times: number } {
  let exact = 0;
  let begun = 0;
  for (let at = findWord(folded, term.word, 0); at !== -1; at = findWord(folded, term.word, at + 1)) {
    if (endsWord(folded, at + term.word.length)) exact += 1;
    else if (prefix) begun += 1;
    if (exact > 0 && exact + begun >= MOST_TIMES) break;
  }
  let misspelt = 0;
  for (const word of similar) {
    for (let at = findWord(folded, word, 0); at !== -1; at = findWord(folded, word, at + 1)) {
      if (endsWord(folded, at + word.length)) misspelt += 1;
      if (misspelt >= MOST_TIMES) break;
    }
  }
  const times = Math.min(MOST_TIMES, exact + begun + misspelt);
  return { quality: exact > 0 ? EXACT : begun > 0 ? PREFIX : misspelt > 0 ? SIMILAR : 0, times };
}

/** Whether the terms stand in a folded text one after the other, whole or begun. */
export function standTogether(folded: string, variants: readonly Variants[]): boolean {
  const { word } = (variants[0] as Variants).term;
  for (let at = findWord(folded, word, 0); at !== -1; at = findWord(folded, word, at + 1)) {
    const end = variants.reduce((next, one) => (next === -1 ? -1 : passTerm(folded, next, one)), at);
    if (end !== -1) return true;
  }
  return false;
}

/** The place of the word after a term that stands at a place, or -1 where it does not. */
function passTerm(folded: string, at: number, { term, prefix }: Variants): number {
  if (!folded.startsWith(term.word, at)) return -1;
  let next = at + term.word.length;
  if (!endsWord(folded, next) && !prefix) return -1;
  while (!endsWord(folded, next)) next += 1;
  while (next < folded.length && endsWord(folded, next)) next += 1;
  return next;
}

/** Words in a folded text, counted up to `most`. */
export function countWords(folded: string, most: number): number {
  let count = 0;
  let inside = false;
  for (let at = 0; at < folded.length && count < most; at++) {
    const isWord = isWordCode(folded.charCodeAt(at));
    if (isWord && !inside) count += 1;
    inside = isWord;
  }
  return count;
}

/** The next place where a word of the text begins with these letters. */
function findWord(folded: string, letters: string, from: number): number {
  let at = folded.indexOf(letters, from);
  while (at > 0 && isWordCode(folded.charCodeAt(at - 1))) at = folded.indexOf(letters, at + 1);
  return at;
}

function endsWord(folded: string, at: number): boolean {
  return at >= folded.length || !isWordCode(folded.charCodeAt(at));
}
