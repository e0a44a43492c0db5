import { isUnspaced, readTokens, type Token } from '../words/tokens.ts';
import type { Variants } from './choose-spellings.ts';

/** A stretch of text that is one of the terms looked for. */
export interface Mark {
  readonly start: number;
  readonly end: number;
  readonly term: number;
}

const MOST_MARKS = 200;

/** Where the terms stand in a text, in order and without overlaps. */
export function findMarks(text: string, variants: readonly Variants[]): Mark[] {
  const marks: Mark[] = [];
  const longest = Math.max(...variants.map(({ term }) => term.word.split(' ').length));
  const run: Token[] = [];
  for (const token of readTokens(text)) {
    if (isUnspaced(token.word)) run.push(token);
    else run.length = 0;
    if (run.length > longest) run.shift();
    const mark = markAt(token, run, variants);
    // Marks come in order of their ends; what overlaps the one before is left out.
    if (mark !== undefined && mark.start >= (marks.at(-1)?.end ?? 0)) marks.push(mark);
    if (marks.length >= MOST_MARKS) break;
  }
  return marks;
}

/** The term that ends with this word: the word itself, or with the ones right before it a phrase. */
function markAt(token: Token, run: readonly Token[], variants: readonly Variants[]): Mark | undefined {
  for (const [term, one] of variants.entries()) {
    const length = one.term.kind === 'phrase' ? one.term.word.split(' ').length : 1;
    const first = length === 1 ? token : run.at(-length);
    if (first === undefined) continue;
    const word =
      length === 1
        ? token.word
        : run
            .slice(-length)
            .map((each) => each.word)
            .join(' ');
    if (fits(one, word)) return { start: first.start, end: token.end, term };
  }
  return undefined;
}

function fits({ spellings }: Variants, word: string): boolean {
  return spellings.some((one) => (one.isBeginning ? word.startsWith(one.word) : word === one.word));
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
