import { readTokens, type Token } from '../words/tokens.ts';
import type { Variants } from './choose-spellings.ts';

/** A stretch of text that is one of the terms looked for. */
export interface Mark {
  readonly start: number;
  readonly end: number;
  readonly term: number;
}

const MAX_MARKS = 200;

/** What is looked for, so that a word of a text is compared with few things and not with every spelling of every term. */
interface Wanted {
  /** The first term that each word is a spelling of. */
  readonly words: ReadonlyMap<string, number>;
  readonly beginnings: readonly { readonly word: string; readonly term: number }[];
  readonly phrases: readonly { readonly words: readonly string[]; readonly term: number }[];
  readonly longest: number;
}

/** Built once per list of variants: every text of a page needs it. */
const wanted = new WeakMap<readonly Variants[], Wanted>();

function wantedOf(variants: readonly Variants[]): Wanted {
  const known = wanted.get(variants);
  if (known !== undefined) return known;
  const words = new Map<string, number>();
  const beginnings: Wanted['beginnings'][number][] = [];
  const phrases: Wanted['phrases'][number][] = [];
  for (const [term, { term: asked, spellings }] of variants.entries()) {
    for (const { word, isBeginning } of spellings) {
      if (asked.kind === 'phrase') phrases.push({ words: word.split(' '), term });
      else if (isBeginning) beginnings.push({ word, term });
      else if (!words.has(word)) words.set(word, term);
    }
  }
  const longest = Math.max(1, ...phrases.map((phrase) => phrase.words.length));
  const made = { words, beginnings, phrases, longest };
  wanted.set(variants, made);
  return made;
}

/** Where the terms stand in a text, in order and without overlaps. */
export function findMarks(text: string, variants: readonly Variants[]): Mark[] {
  const looked = wantedOf(variants);
  const marks: Mark[] = [];
  /** The last words, as many as the longest phrase has. */
  const last: Token[] = [];
  for (const token of readTokens(text)) {
    if (last.length >= looked.longest) last.shift();
    last.push(token);
    const mark = markAt(token, last, looked);
    // Marks come in order of their ends; what overlaps the one before is left out.
    if (mark !== undefined && mark.start >= (marks.at(-1)?.end ?? 0)) marks.push(mark);
    if (marks.length >= MAX_MARKS) break;
  }
  return marks;
}

/** The first term that ends with this word: the word itself, or with the ones right before it a phrase. */
function markAt(
  token: Token,
  last: readonly Token[],
  { words, beginnings, phrases }: Wanted,
): Mark | undefined {
  let first = token;
  let found = words.get(token.word);
  for (const { word, term } of beginnings)
    if (term < (found ?? Infinity) && token.word.startsWith(word)) found = term;
  for (const phrase of phrases) {
    const from = last.length - phrase.words.length;
    if (phrase.term >= (found ?? Infinity) || from < 0) continue;
    if (!phrase.words.every((word, at) => last[from + at]?.word === word)) continue;
    [first, found] = [last[from] as Token, phrase.term];
  }
  return found === undefined ? undefined : { start: first.start, end: token.end, term: found };
}

/** A stretch of a text with its marks in balanced <mark> tags. */
export function drawMarks(text: string, marks: readonly Mark[], start = 0, end = text.length): string {
  let drawn = '';
  let at = start;
  for (const mark of marks) {
    if (mark.start < at || mark.end > end) continue;
    drawn += `${neutral(text.slice(at, mark.start))}<mark>${neutral(text.slice(mark.start, mark.end))}</mark>`;
    at = mark.end;
  }
  return drawn + neutral(text.slice(at, end));
}

/** A record that spells our tag must not be able to open or close it. */
export function neutral(text: string): string {
  return text.replace(/<(\/?mark)/gi, '‹$1').toWellFormed();
}
