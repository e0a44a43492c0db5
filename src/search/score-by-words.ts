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
  let sum: ScoredByWords = { records: [], scores: [] };
  for (const [index, found] of matches.entries())
    if (found.records.length > 0) sum = addTerm(sum, found, weights[index] as number, index < asked);
  return sum;
}

function addTerm(sum: ScoredByWords, found: TermMatches, weight: number, canBringIn: boolean): ScoredByWords {
  const records: number[] = [];
  const scores: number[] = [];
  let at = 0;
  const worthOf = (place: number) =>
    scoreTerm(found.title[place] as number, found.body[place] as number, weight, 1);
  for (const [place, record] of sum.records.entries()) {
    for (; (found.records[at] as number) < record; at++) {
      if (!canBringIn) continue;
      records.push(found.records[at] as number);
      scores.push(worthOf(at));
    }
    records.push(record);
    scores.push((sum.scores[place] as number) + (found.records[at] === record ? worthOf(at++) : 0));
  }
  for (; canBringIn && at < found.records.length; at++) {
    records.push(found.records[at] as number);
    scores.push(worthOf(at));
  }
  return { records, scores };
}
