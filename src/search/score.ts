import type { Occurrences } from './search-source.ts';
import { BODY, PEOPLE, TITLE } from './search-source.ts';

/** How often more of a word goes on to count: BM25's k1. */
const SATURATION = 1.6;
/** How much a text's length takes away from its words: BM25's b. */
const LENGTH = 0.7;
/** How much asking twice counts: BM25's k3. */
const ASKED_AGAIN = 2;
/** What a word counts in each part of a record. */
const PART_WEIGHTS: Record<number, number> = { [TITLE]: 2, [PEOPLE]: 1.2, [BODY]: 1 };

/** What a record has of one term. */
export interface TermMatch {
  /** Weighted count in texts that have a length, and in titles, which are as long as titles are. */
  body: number;
  title: number;
  readonly places: number[];
}

/** Of each record that has the term, by its number. */
export type TermMatches = Map<number, TermMatch>;

/** Adds what a spelling contributes; `quality` is 1 for the word itself and less for others. */
export function addOccurrences(
  matches: TermMatches,
  { records, parts, places }: Occurrences,
  quality: number,
): void {
  let match: TermMatch | undefined;
  let last = -1;
  for (let at = 0; at < records.length; at++) {
    const record = records[at] as number;
    if (record !== last || match === undefined) {
      match = matches.get(record);
      if (match === undefined) {
        match = { body: 0, title: 0, places: [] };
        matches.set(record, match);
      }
      last = record;
    }
    const part = parts[at] as number;
    const weight = (PART_WEIGHTS[part] as number) * quality;
    if (part === TITLE) match.title += weight;
    else match.body += weight;
    if (match.places.length < MOST_PLACES) match.places.push(places[at] as number);
  }
}

/** More places than this tell nothing about nearness. */
const MOST_PLACES = 64;

/** How telling a term is: the rarer among the visible records, the more, and more when asked for again. In hundredths. */
export function weighTerm(records: number, having: number, times: number): number {
  const rarity = Math.log(1 + (Math.max(0, records - having) + 0.5) / (having + 0.5));
  return Math.round((100 * rarity * (ASKED_AGAIN + 1) * times) / (ASKED_AGAIN + times));
}

/** What a term adds to a record's score. `relative` is the record's length against the usual one. */
export function scoreTerm(match: TermMatch, weight: number, relative: number): number {
  const often = match.title + match.body / (1 - LENGTH + LENGTH * relative);
  return (weight * often * (SATURATION + 1)) / (SATURATION + often);
}

/** Words that stand within so many words of one another are neighbours. */
const NEAR = 2;
const NEARNESS = 0.5;

/** What neighbours add: two terms that were asked for one after the other, and stand so. */
export function scoreNearness(one: TermMatch, other: TermMatch, weight: number): number {
  let near = 0;
  for (const a of one.places) {
    for (const b of other.places) {
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
  const days = Math.max(0, recentTo - t) / 86_400_000;
  return NEWNESS * 2 ** (-days / HALF_DAYS);
}
