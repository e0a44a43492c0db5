import { type Initials, initialsOf, readTokens, readTokensWith, type Token } from '../words/tokens.ts';
import type { Variants } from './choose-spellings.ts';

/** A range of a text that matches a term, given by the index of the term. */
export interface Mark {
  readonly start: number;
  readonly end: number;
  readonly term: number;
}

const MAX_MARKS = 200;

/** The spellings of all terms, indexed so that a word is not compared with each of them. */
interface SpellingIndex {
  /** The first term that each word is a spelling of. */
  readonly words: ReadonlyMap<string, number>;
  readonly prefixes: readonly { readonly word: string; readonly term: number }[];
  readonly phrases: readonly { readonly words: readonly string[]; readonly term: number }[];
  readonly longestPhrase: number;
  /** The first letters of all spellings; undefined if there are phrases, which need every word of a text. */
  readonly initials: Initials | undefined;
}

/** Built once per search: every text of a page uses the same list of variants. */
const indexes = new WeakMap<readonly Variants[], SpellingIndex>();

function indexSpellings(variants: readonly Variants[]): SpellingIndex {
  const cached = indexes.get(variants);
  if (cached !== undefined) return cached;
  const words = new Map<string, number>();
  const prefixes: SpellingIndex['prefixes'][number][] = [];
  const phrases: SpellingIndex['phrases'][number][] = [];
  for (const [term, { term: asked, spellings }] of variants.entries()) {
    for (const { word, isPrefix } of spellings) {
      if (asked.kind === 'phrase') phrases.push({ words: word.split(' '), term });
      else if (isPrefix) prefixes.push({ word, term });
      else if (!words.has(word)) words.set(word, term);
    }
  }
  const longestPhrase = Math.max(1, ...phrases.map((phrase) => phrase.words.length));
  const initials =
    phrases.length > 0 ? undefined : initialsOf([...words.keys(), ...prefixes.map(({ word }) => word)]);
  const index = { words, prefixes, phrases, longestPhrase, initials };
  indexes.set(variants, index);
  return index;
}

/** Finds the terms in a text, in order and without overlaps. */
export function findMarks(text: string, variants: readonly Variants[]): Mark[] {
  const index = indexSpellings(variants);
  const marks: Mark[] = [];
  /** The latest words, as many as the longest phrase has. */
  const latest: Token[] = [];
  const tokens = index.initials === undefined ? readTokens(text) : readTokensWith(index.initials, text);
  for (const token of tokens) {
    if (latest.length >= index.longestPhrase) latest.shift();
    latest.push(token);
    const mark = markAt(token, latest, index);
    // Marks are ordered by their ends. A mark that overlaps the previous one is skipped.
    if (mark !== undefined && mark.start >= (marks.at(-1)?.end ?? 0)) marks.push(mark);
    if (marks.length >= MAX_MARKS) break;
  }
  return marks;
}

/** Returns the mark of the first term that ends with this word: the word itself, a prefix, or a phrase. */
function markAt(
  token: Token,
  latest: readonly Token[],
  { words, prefixes, phrases }: SpellingIndex,
): Mark | undefined {
  let first = token;
  let found = words.get(token.word);
  for (const { word, term } of prefixes)
    if (term < (found ?? Infinity) && token.word.startsWith(word)) found = term;
  for (const phrase of phrases) {
    const from = latest.length - phrase.words.length;
    if (phrase.term >= (found ?? Infinity) || from < 0) continue;
    if (!phrase.words.every((word, at) => latest[from + at]?.word === word)) continue;
    [first, found] = [latest[from] as Token, phrase.term];
  }
  return found === undefined ? undefined : { start: first.start, end: token.end, term: found };
}

/** Returns a range of a text with its marks as balanced <mark> tags. */
export function drawMarks(text: string, marks: readonly Mark[], start = 0, end = text.length): string {
  let drawn = '';
  let at = start;
  for (const mark of marks) {
    if (mark.start < at || mark.end > end) continue;
    drawn += `${escapeMarks(text.slice(at, mark.start))}<mark>${escapeMarks(text.slice(mark.start, mark.end))}</mark>`;
    at = mark.end;
  }
  return drawn + escapeMarks(text.slice(at, end));
}

/** Escapes <mark> tags in a record's text, so that the text cannot open or close ours. */
export function escapeMarks(text: string): string {
  return text.replace(/<(\/?mark)/gi, '‹$1').toWellFormed();
}
