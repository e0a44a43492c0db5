import { DAY_MS } from '../time/durations.ts';
import type { TermMatch } from './term-matches.ts';

/** How often more of a word goes on to count: BM25's k1. */
const SATURATION = 1.6;
/** How much a text's length takes away from its words: BM25's b. */
const LENGTH = 0.7;
/** How much asking twice counts: BM25's k3. */
const ASKED_AGAIN = 2;
/** How telling a term is: the rarer among the visible records, the more, and more when asked for again. In hundredths. */
export function weighTerm(records: number, having: number, times: number): number {
  const rarity = Math.log(1 + (Math.max(0, records - having) + 0.5) / (having + 0.5));
  return Math.round((100 * rarity * (ASKED_AGAIN + 1) * times) / (ASKED_AGAIN + times));
}

/** What a term adds to a record's score. `relative` is the record's length against the usual one. */
export function scoreTerm(title: number, body: number, weight: number, relative: number): number {
  const often = title + body / (1 - LENGTH + LENGTH * relative);
  return (weight * often * (SATURATION + 1)) / (SATURATION + often);
}

/** Words that stand within so many words of one another are neighbours. */
const NEAR = 2;
const NEARNESS = 0.5;

/** What neighbours add: two terms that were asked for one after the other, and stand so. */
export function scoreNearness(one: TermMatch, other: TermMatch, weight: number): number {
  let near = 0;
  for (const a of one.positions) {
    for (const b of other.positions) {
      const apart = Math.abs(a - b);
      if (apart > 0 && apart <= NEAR) near += 1 / apart;
    }
  }
  return (NEARNESS * weight * near) / (1 + near);
}

/** What is from today is worth so much of all words together when something recent is asked for; half of it in so many days. */
const NEWNESS = 0.25;
const HALF_DAYS = 90;

/** The share of the words' weight that a record gets for being new. It puts in front and leaves nothing out. */
export function scoreNewness(t: number | undefined, recentTo: number): number {
  if (t === undefined) return 0;
  const days = Math.max(0, recentTo - t) / DAY_MS;
  return NEWNESS * 2 ** (-days / HALF_DAYS);
}
