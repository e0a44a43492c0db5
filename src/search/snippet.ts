import type { Variants } from './parse-query.ts';
import { type Candidate, matchQuality } from './rank.ts';
import { tokenize } from './tokens.ts';

const SNIPPET_CHARACTERS = 200;
const LOOK_AT = 200_000;

/** A stretch of granted text around the best matches, with the matches in balanced <mark> tags. */
export function makeSnippet(candidate: Candidate, variants: readonly Variants[]): string {
  const texts = [...candidate.texts].sort((a, b) => Number(a.isTitle) - Number(b.isTitle));
  let best: { text: string; marks: Span[] } | undefined;
  for (const { text } of texts) {
    const marks = findMarks(text.slice(0, LOOK_AT), variants);
    if (marks.length > 0 && (best === undefined || distinct(marks) > distinct(best.marks)))
      best = { text, marks };
  }
  return best === undefined
    ? cut(neutral(texts[0]?.text ?? ''), SNIPPET_CHARACTERS)
    : around(best.text, best.marks);
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly term: number;
}

function findMarks(text: string, variants: readonly Variants[]): Span[] {
  const marks: Span[] = [];
  for (const { word, start, end } of tokenize(text)) {
    const term = variants.findIndex((one) => one.term.kind === 'word' && matchQuality(one, word) > 0);
    if (term !== -1) marks.push({ start, end, term });
    if (marks.length >= 200) break;
  }
  for (const [term, one] of variants.entries()) {
    if (one.term.kind !== 'phrase') continue;
    const start = text.indexOf(one.term.word);
    if (start !== -1) marks.push({ start, end: start + one.term.word.length, term });
  }
  return marks
    .sort((a, b) => a.start - b.start)
    .filter((mark, i, all) => i === 0 || mark.start >= (all[i - 1] as Span).end);
}

function distinct(marks: readonly Span[]): number {
  return new Set(marks.map((mark) => mark.term)).size;
}

/** The window that holds the most different terms; the earliest of equals. */
function around(text: string, marks: readonly Span[]): string {
  let from = 0;
  let most = 0;
  for (const mark of marks) {
    const inside = marks.filter(
      (other) => other.start >= mark.start && other.end <= mark.start + SNIPPET_CHARACTERS - 40,
    );
    if (distinct(inside) > most) [from, most] = [mark.start, distinct(inside)];
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
