import { isUnspaced, readTokens, type Token } from '../words/tokens.ts';
import type { Variants } from './choose-spellings.ts';
import { type CandidateText, shareOut } from './share-out.ts';

const SNIPPET_CHARACTERS = 200;
const MOST_MARKS = 200;

/**
 * A stretch of granted text around the best matches, with the matches in balanced <mark> tags. It is looked
 * for where ranking looked, in so many characters.
 */
export function makeSnippet(
  texts: readonly CandidateText[],
  variants: readonly Variants[],
  weights: readonly number[],
  characters: number,
): string {
  const shares = shareOut(texts, characters);
  shares.sort((a, b) => Number(a.isTitle) - Number(b.isTitle));
  let best: { text: string; marks: Span[] } | undefined;
  for (const { text } of shares) {
    const marks = findMarks(text, variants);
    if (marks.length > 0 && (best === undefined || worthOf(marks, weights) > worthOf(best.marks, weights)))
      best = { text, marks };
  }
  return best === undefined
    ? cut(neutral(shares[0]?.text ?? ''), SNIPPET_CHARACTERS)
    : around(best.text, best.marks, weights);
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly term: number;
}

function findMarks(text: string, variants: readonly Variants[]): Span[] {
  const marks: Span[] = [];
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
function markAt(token: Token, run: readonly Token[], variants: readonly Variants[]): Span | undefined {
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

/** What the different terms of some marks weigh together. */
function worthOf(marks: readonly Span[], weights: readonly number[]): number {
  return [...new Set(marks.map((mark) => mark.term))].reduce(
    (sum, term) => sum + 1 + (weights[term] ?? 0),
    0,
  );
}

/** The window whose different terms weigh most, so that rare ones are in it; the earliest of equals. */
function around(text: string, marks: readonly Span[], weights: readonly number[]): string {
  let from = 0;
  let most = 0;
  for (const mark of marks) {
    const inside = marks.filter(
      (other) => other.start >= mark.start && other.end <= mark.start + SNIPPET_CHARACTERS - 40,
    );
    const worth = worthOf(inside, weights);
    if (worth > most) [from, most] = [mark.start, worth];
  }
  const start = wordStart(text, Math.max(0, from - 40));
  const end = Math.min(text.length, start + SNIPPET_CHARACTERS);
  let snippet = start > 0 ? '…' : '';
  let at = start;
  for (const mark of marks) {
    if (mark.start < at || mark.end > end) continue;
    snippet += `${neutral(text.slice(at, mark.start))}<mark>${neutral(text.slice(mark.start, mark.end))}</mark>`;
    at = mark.end;
  }
  const tail = cut(neutral(text.slice(at, end)), SNIPPET_CHARACTERS);
  return `${snippet}${tail}${end < text.length ? '…' : ''}`.replace(/\s+/g, ' ').trim();
}

function wordStart(text: string, at: number): number {
  if (at === 0) return 0;
  const space = text.indexOf(' ', at);
  return space !== -1 && space < at + 20 ? space + 1 : at;
}

/** A record that spells our tag must not be able to open or close it. */
function neutral(text: string): string {
  return text.replace(/<(\/?mark)/gi, '‹$1').toWellFormed();
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}…`;
}
