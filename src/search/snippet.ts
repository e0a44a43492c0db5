import type { Variants } from './choose-spellings.ts';
import { drawMarks, findMarks, type Mark, neutral } from './marks.ts';

const SNIPPET_CHARACTERS = 200;

/** A granted text of a record that matched. */
export interface CandidateText {
  readonly text: string;
  readonly isTitle: boolean;
}

/** What is shown of a record's texts beside its title. */
export interface Snippet {
  readonly text: string;
  /** Where none of the words stand in them, and what is shown is a beginning: how long they are together. */
  readonly characters?: number;
}

/**
 * A stretch of granted text around the best matches, with the matches in balanced <mark> tags. It is looked
 * for where ranking looked, in so many characters. The title is shown anyway, so it is never what is chosen here.
 */
export function makeSnippet(
  texts: readonly CandidateText[],
  variants: readonly Variants[],
  weights: readonly number[],
  characters: number,
): Snippet | undefined {
  const shares = shareOut(texts, characters).filter(({ isTitle }) => !isTitle);
  let best: { text: string; marks: Mark[] } | undefined;
  for (const { text } of shares) {
    const marks = findMarks(text, variants);
    if (marks.length > 0 && (best === undefined || worthOf(marks, weights) > worthOf(best.marks, weights)))
      best = { text, marks };
  }
  if (best !== undefined) return { text: around(best.text, best.marks, weights) };
  const longest = shares.toSorted((a, b) => b.text.length - a.text.length)[0];
  if (longest === undefined) return undefined;
  const text = neutral(longest.text.replace(/\s+/g, ' ').trim());
  if (text.length <= SNIPPET_CHARACTERS) return { text };
  return {
    text: `${text.slice(0, SNIPPET_CHARACTERS).toWellFormed()}…`,
    characters: texts.reduce((sum, one) => sum + (one.isTitle ? 0 : one.text.length), 0),
  };
}

/** What the different terms of some marks weigh together. */
function worthOf(marks: readonly Mark[], weights: readonly number[]): number {
  return [...new Set(marks.map((mark) => mark.term))].reduce(
    (sum, term) => sum + 1 + (weights[term] ?? 0),
    0,
  );
}

/** The window whose different terms weigh most, so that rare ones are in it; the earliest of equals. */
function around(text: string, marks: readonly Mark[], weights: readonly number[]): string {
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
  const drawn = drawMarks(text, marks, start, end);
  return `${start > 0 ? '…' : ''}${drawn}${end < text.length ? '…' : ''}`.replace(/\s+/g, ' ').trim();
}

function wordStart(text: string, at: number): number {
  if (at === 0) return 0;
  const space = text.indexOf(' ', at);
  return space !== -1 && space < at + 20 ? space + 1 : at;
}

/**
 * The beginnings of a record's texts that together make up so many characters: short texts whole, and the
 * long ones share what is left evenly.
 */
function shareOut(texts: readonly CandidateText[], characters: number): CandidateText[] {
  let left = characters;
  const lengths = new Map<CandidateText, number>();
  for (const [index, one] of texts.toSorted((a, b) => a.text.length - b.text.length).entries()) {
    const length = Math.min(one.text.length, Math.floor(left / (texts.length - index)));
    lengths.set(one, length);
    left -= length;
  }
  return texts.map((one) => ({ ...one, text: one.text.slice(0, lengths.get(one)) }));
}
