import { scoreTerm } from './score.ts';
import type { TermMatches } from './term-matches.ts';

/** Records in ascending order of their numbers, and what each is worth by its words alone. */
export interface ScoredByWords {
  readonly records: readonly number[];
  readonly scores: readonly number[];
}

/**
 * Adds up what the terms are worth in each record, without length and nearness. The first so many terms were asked for;
 * the others put in front what has one of those too, since nobody asked for what has only them.
 */
export function scoreByWords(
  matches: readonly TermMatches[],
  weights: readonly number[],
  asked: number,
): ScoredByWords {
  let sum: Sum = { records: [], scores: [] };
  for (const [index, found] of matches.entries()) {
    const weight = weights[index] as number;
    if (found.records.length === 0) continue;
    if (index < asked) sum = addAsked(sum, found, weight);
    else addToKnown(sum, found, weight);
  }
  return sum;
}

interface Sum {
  readonly records: number[];
  readonly scores: number[];
}

/** What the records of both have together. Loops by number, because they run over thousands for every word. */
function addAsked(sum: Sum, found: TermMatches, weight: number): Sum {
  const records: number[] = [];
  const scores: number[] = [];
  const [known, fresh] = [sum.records.length, found.records.length];
  let [a, b] = [0, 0];
  while (a < known && b < fresh) {
    const [left, right] = [sum.records[a] as number, found.records[b] as number];
    records.push(Math.min(left, right));
    if (left < right) scores.push(sum.scores[a++] as number);
    else if (left > right) scores.push(worthOf(found, b++, weight));
    else scores.push((sum.scores[a++] as number) + worthOf(found, b++, weight));
  }
  for (; a < known; a++) {
    records.push(sum.records[a] as number);
    scores.push(sum.scores[a] as number);
  }
  for (; b < fresh; b++) {
    records.push(found.records[b] as number);
    scores.push(worthOf(found, b, weight));
  }
  return { records, scores };
}

/** Adds to the scores of records that are there already. */
function addToKnown({ records, scores }: Sum, found: TermMatches, weight: number): void {
  let [a, b] = [0, 0];
  while (a < records.length && b < found.records.length) {
    const [left, right] = [records[a] as number, found.records[b] as number];
    if (left === right) scores[a] = (scores[a] as number) + worthOf(found, b, weight);
    if (left <= right) a++;
    if (left >= right) b++;
  }
}

function worthOf({ title, body }: TermMatches, at: number, weight: number): number {
  return scoreTerm(title[at] as number, body[at] as number, weight, 1);
}
