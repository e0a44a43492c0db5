import { DAY_MS } from '../time/durations.ts';
import type { TermMatch } from './term-matches.ts';

/** BM25's k1: how slowly the score saturates with more occurrences. */
const SATURATION = 1.6;
/** BM25's b: how strongly the length of a text reduces the score. */
const LENGTH_NORMALIZATION = 0.7;
/** BM25's k3: how much a term that the query repeats counts. */
const QUERY_SATURATION = 2;

/** Returns the weight of a term in hundredths: its inverse document frequency, higher if the query repeats it. */
export function weighTerm(records: number, matching: number, times: number): number {
  const rarity = Math.log(1 + (Math.max(0, records - matching) + 0.5) / (matching + 0.5));
  return Math.round((100 * rarity * (QUERY_SATURATION + 1) * times) / (QUERY_SATURATION + times));
}

/** Returns the BM25 score of a term in a record. `relativeLength` is the record's length divided by the average. */
export function scoreTerm(title: number, body: number, weight: number, relativeLength: number): number {
  const frequency = title + body / (1 - LENGTH_NORMALIZATION + LENGTH_NORMALIZATION * relativeLength);
  return (weight * frequency * (SATURATION + 1)) / (SATURATION + frequency);
}

const MAX_DISTANCE_WORDS = 2;
const MAX_PROXIMITY_SHARE = 0.5;

/** Returns the score for consecutive terms of the query that are close to each other in a record. */
export function scoreProximity(one: TermMatch, other: TermMatch, weight: number): number {
  let near = 0;
  for (const a of one.positions) {
    for (const b of other.positions) {
      const distance = Math.abs(a - b);
      if (distance > 0 && distance <= MAX_DISTANCE_WORDS) near += 1 / distance;
    }
  }
  return (MAX_PROXIMITY_SHARE * weight * near) / (1 + near);
}

const MAX_RECENCY_SHARE = 0.25;
const RECENCY_HALF_LIFE_DAYS = 90;

/** Returns the share of the query's weight that a recent record gets, for queries that ask for recent records. */
export function scoreRecency(t: number | undefined, recentTo: number): number {
  if (t === undefined) return 0;
  const days = Math.max(0, recentTo - t) / DAY_MS;
  return MAX_RECENCY_SHARE * 2 ** (-days / RECENCY_HALF_LIFE_DAYS);
}
