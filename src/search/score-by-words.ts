import { scoreTerm } from './score.ts';
import type { TermMatches } from './term-matches.ts';

/** Records in ascending order of number, and their scores. */
export interface RecordScores {
  readonly records: number[];
  readonly scores: number[];
}

/**
 * Scores records by their terms, without length and proximity. The first `asked` terms are the query's. The others are
 * expansion terms: they raise the score of records that match the query, but add no records.
 */
export function scoreByWords(
  matches: readonly TermMatches[],
  weights: readonly number[],
  asked: number,
): RecordScores {
  let sum: RecordScores = { records: [], scores: [] };
  for (const [index, found] of matches.entries()) {
    const weight = weights[index] as number;
    if (found.records.length === 0) continue;
    if (index < asked) sum = addAsked(sum, found, weight);
    else addToExisting(sum, found, weight);
  }
  return sum;
}

/** Merges two sorted lists. Indexed loops, because each term has thousands of records. */
function addAsked(sum: RecordScores, found: TermMatches, weight: number): RecordScores {
  const records: number[] = [];
  const scores: number[] = [];
  const [known, fresh] = [sum.records.length, found.records.length];
  let [a, b] = [0, 0];
  while (a < known && b < fresh) {
    const [left, right] = [sum.records[a] as number, found.records[b] as number];
    records.push(Math.min(left, right));
    if (left < right) scores.push(sum.scores[a++] as number);
    else if (left > right) scores.push(scoreAt(found, b++, weight));
    else scores.push((sum.scores[a++] as number) + scoreAt(found, b++, weight));
  }
  for (; a < known; a++) {
    records.push(sum.records[a] as number);
    scores.push(sum.scores[a] as number);
  }
  for (; b < fresh; b++) {
    records.push(found.records[b] as number);
    scores.push(scoreAt(found, b, weight));
  }
  return { records, scores };
}

function addToExisting({ records, scores }: RecordScores, found: TermMatches, weight: number): void {
  let [a, b] = [0, 0];
  while (a < records.length && b < found.records.length) {
    const [left, right] = [records[a] as number, found.records[b] as number];
    if (left === right) scores[a] = (scores[a] as number) + scoreAt(found, b, weight);
    if (left <= right) a++;
    if (left >= right) b++;
  }
}

function scoreAt({ title, body }: TermMatches, at: number, weight: number): number {
  return scoreTerm(title[at] as number, body[at] as number, weight, 1);
}
