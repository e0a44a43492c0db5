import type { MatchTerms, Spelling } from '../../../words/match-terms.ts';
import { splitIndexText } from '../../postings/index-words.ts';
import { COLUMN_SPAN, decodePositions } from '../../postings/posting-list.ts';
import type { ColumnMasks, WordPostings } from './word-postings.ts';

/** A word of a search: all words with a beginning, or one. */
export interface WantedWord {
  readonly word: string;
  readonly isPrefix: boolean;
}

/** A spelling as consecutive words. A spelling without words matches nothing. */
export type WantedPhrase = readonly WantedWord[];

/** A record matches if it holds a phrase of each list. */
export type WantedLists = readonly (readonly WantedPhrase[])[];

/** Splits terms into words, as texts are split. */
export function splitTerms(terms: MatchTerms): WantedLists {
  return terms.map((spellings) => spellings.map(splitSpelling).filter((phrase) => phrase.length > 0));
}

function splitSpelling({ word, isPrefix }: Spelling): WantedPhrase {
  const words = splitIndexText(word);
  return words.map((one, at) => ({ word: one, isPrefix: isPrefix && at === words.length - 1 }));
}

/** Returns the postings of a word: one for each word with the beginning. */
export type FindPostings = (word: WantedWord) => readonly WordPostings[];

/** A range of row ids. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** Returns the records in the window that hold a phrase of each list in granted columns. */
export function matchLists(
  lists: WantedLists,
  find: FindPostings,
  masks: ColumnMasks,
  window: Window,
): Set<number> {
  let matched: Set<number> | undefined;
  for (const list of lists) {
    const found = new Set<number>();
    for (const phrase of list) matchPhrase(phrase, find, masks, window, matched, found);
    matched = found;
    if (found.size === 0) break;
  }
  return matched ?? new Set();
}

/** Adds the records that hold a phrase, of `among` if given. */
function matchPhrase(
  phrase: WantedPhrase,
  find: FindPostings,
  masks: ColumnMasks,
  { from, to }: Window,
  among: ReadonlySet<number> | undefined,
  into: Set<number>,
): void {
  if (phrase.length === 1) {
    for (const postings of find(phrase[0] as WantedWord))
      postings.visit(masks, from, to, (rid) => {
        if (among === undefined || among.has(rid)) into.add(rid);
      });
    return;
  }
  let starts: Map<number, Set<number>> | undefined;
  for (const [at, word] of phrase.entries()) {
    const next = new Map<number, Set<number>>();
    for (const postings of find(word))
      postings.visit(masks, from, to, (rid, columns, bytes, start, end) => {
        if (among !== undefined && !among.has(rid)) return;
        const before = starts?.get(rid);
        if (starts !== undefined && before === undefined) return;
        const own = next.get(rid) ?? new Set<number>();
        for (const position of decodePositions(bytes, start, end)) {
          const isGranted = (columns & (1 << Math.floor(position / COLUMN_SPAN))) !== 0;
          if (isGranted && (before === undefined || before.has(position - at))) own.add(position - at);
        }
        if (own.size > 0) next.set(rid, own);
      });
    starts = next;
  }
  for (const rid of starts?.keys() ?? []) into.add(rid);
}
