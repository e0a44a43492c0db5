import type { Variants } from './choose-spellings.ts';
import { drawMarks, escapeMarks, findMarks, type Mark } from './marks.ts';

const SNIPPET_CHARACTERS = 200;

/** A granted text of a matching record. */
export interface CandidateText {
  readonly text: string;
  readonly isTitle: boolean;
}

export interface Snippet {
  readonly text: string;
  /** The length of all texts except titles, if no term matches and the snippet is the beginning of the longest one. */
  readonly characters?: number;
}

/**
 * Returns granted text around the best matches, with the matches as <mark> tags. It searches the first `characters` of the
 * texts, like ranking. The title is never chosen, because a hit shows it anyway.
 */
export function makeSnippet(
  texts: readonly CandidateText[],
  variants: readonly Variants[],
  weights: readonly number[],
  characters: number,
): Snippet | undefined {
  const searched = shortenTexts(texts, characters).filter(({ isTitle }) => !isTitle);
  let best: { text: string; marks: Mark[] } | undefined;
  for (const { text } of searched) {
    const marks = findMarks(text, variants);
    if (
      marks.length > 0 &&
      (best === undefined || sumWeights(marks, weights) > sumWeights(best.marks, weights))
    )
      best = { text, marks };
  }
  if (best !== undefined) return { text: drawBestWindow(best.text, best.marks, weights) };
  const longest = searched.toSorted((a, b) => b.text.length - a.text.length)[0];
  if (longest === undefined) return undefined;
  const text = escapeMarks(longest.text.replace(/\s+/g, ' ').trim());
  if (text.length <= SNIPPET_CHARACTERS) return { text };
  return {
    text: `${text.slice(0, SNIPPET_CHARACTERS).toWellFormed()}…`,
    characters: texts.reduce((sum, one) => sum + (one.isTitle ? 0 : one.text.length), 0),
  };
}

/** Sums the weights of the distinct terms of some marks. */
function sumWeights(marks: readonly Mark[], weights: readonly number[]): number {
  return [...new Set(marks.map((mark) => mark.term))].reduce(
    (sum, term) => sum + 1 + (weights[term] ?? 0),
    0,
  );
}

/** Returns the window with the highest weight of distinct terms; the earliest if several are equal. */
function drawBestWindow(text: string, marks: readonly Mark[], weights: readonly number[]): string {
  let from = 0;
  let highest = 0;
  let after = 0;
  for (const [at, mark] of marks.entries()) {
    // Marks are in order and do not overlap.
    while ((marks[after]?.end ?? Infinity) <= mark.start + SNIPPET_CHARACTERS - 40) after += 1;
    const weight = sumWeights(marks.slice(at, after), weights);
    if (weight > highest) [from, highest] = [mark.start, weight];
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

/** Cuts texts to a total number of characters: short texts stay whole, long ones share the rest evenly. */
function shortenTexts(texts: readonly CandidateText[], characters: number): CandidateText[] {
  let left = characters;
  const lengths = new Map<CandidateText, number>();
  for (const [index, one] of texts.toSorted((a, b) => a.text.length - b.text.length).entries()) {
    const length = Math.min(one.text.length, Math.floor(left / (texts.length - index)));
    lengths.set(one, length);
    left -= length;
  }
  return texts.map((one) => ({ ...one, text: one.text.slice(0, lengths.get(one)) }));
}
