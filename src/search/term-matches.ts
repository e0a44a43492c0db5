import { BODY, type Occurrences, PEOPLE, TITLE } from './search-source.ts';

/** What a word counts in each part of a record. */
const PART_WEIGHTS: Record<number, number> = { [TITLE]: 2, [PEOPLE]: 1.2, [BODY]: 1 };

/**
 * What each record that has a term has of it: lists side by side, by the numbers of the records in ascending order. Lists
 * and not an object for each, because thousands of records are scored and only the best are looked at one by one.
 */
export interface TermMatches {
  readonly records: readonly number[];
  /** Weighted counts in texts that have a length, and in titles, which are as long as titles are. */
  readonly body: readonly number[];
  readonly title: readonly number[];
  /** Where the places of each record end; they begin where those of the one before end. */
  readonly ends: readonly number[];
  readonly places: readonly number[];
}

/** What one record has of a term. */
export interface TermMatch {
  readonly body: number;
  readonly title: number;
  readonly places: readonly number[];
}

type Lists = { -readonly [name in keyof TermMatches]: number[] };

const emptyLists = (): Lists => ({ records: [], body: [], title: [], ends: [], places: [] });

export const NO_MATCHES: TermMatches = emptyLists();

/** What a spelling contributes; `quality` is 1 for the word itself and less for others. */
export function matchOccurrences(occurrences: Occurrences, quality: number): TermMatches {
  const { records, parts, places } = isAscending(occurrences.records)
    ? occurrences
    : sortByRecord(occurrences);
  const matches = { ...emptyLists(), places };
  let at = -1;
  for (let place = 0; place < records.length; place++) {
    const record = records[place] as number;
    if (at === -1 || record !== matches.records[at]) {
      at = matches.records.push(record) - 1;
      matches.body.push(0);
      matches.title.push(0);
      matches.ends.push(place);
    }
    const part = parts[place] as number;
    const weight = (PART_WEIGHTS[part] as number) * quality;
    if (part === TITLE) matches.title[at] = (matches.title[at] as number) + weight;
    else matches.body[at] = (matches.body[at] as number) + weight;
    matches.ends[at] = place + 1;
  }
  return matches;
}

function isAscending(records: readonly number[]): boolean {
  for (let at = 1; at < records.length; at++)
    if ((records[at] as number) < (records[at - 1] as number)) return false;
  return true;
}

/** Words that begin alike come one after the other, each with its own records. */
function sortByRecord({ records, parts, places }: Occurrences): Occurrences {
  const order = records.map((_, at) => at).sort((a, b) => (records[a] as number) - (records[b] as number));
  const pick = (list: readonly number[]) => order.map((at) => list[at] as number);
  return { records: pick(records), parts: pick(parts), places: pick(places) };
}

/** Records that have a term, without looking where it stands. */
export function matchPresence(records: Iterable<number>): TermMatches {
  const sorted = [...new Set(records)].sort((a, b) => a - b);
  const zeros = sorted.map(() => 0);
  return { records: sorted, body: sorted.map(() => 1), title: zeros, ends: zeros, places: [] };
}

/** What two spellings contribute together. */
export function joinMatches(one: TermMatches, other: TermMatches): TermMatches {
  if (one.records.length === 0) return other;
  if (other.records.length === 0) return one;
  const joined = emptyLists();
  let [a, b] = [0, 0];
  while (a < one.records.length || b < other.records.length) {
    const left = a < one.records.length ? (one.records[a] as number) : Infinity;
    const right = b < other.records.length ? (other.records[b] as number) : Infinity;
    const record = Math.min(left, right);
    let [body, title] = [0, 0];
    if (left === record) {
      body += one.body[a] as number;
      title += one.title[a] as number;
      copyPlaces(one, a++, joined.places);
    }
    if (right === record) {
      body += other.body[b] as number;
      title += other.title[b] as number;
      copyPlaces(other, b++, joined.places);
    }
    joined.records.push(record);
    joined.body.push(body);
    joined.title.push(title);
    joined.ends.push(joined.places.length);
  }
  return joined;
}

function copyPlaces({ ends, places }: TermMatches, at: number, into: number[]): void {
  for (let place = at === 0 ? 0 : (ends[at - 1] as number); place < (ends[at] as number); place++)
    into.push(places[place] as number);
}

/** The matches of some of the records. */
export function keepMatches(matches: TermMatches, isKept: (record: number) => boolean): TermMatches {
  const kept = emptyLists();
  for (const [at, record] of matches.records.entries()) {
    if (!isKept(record)) continue;
    kept.records.push(record);
    kept.body.push(matches.body[at] as number);
    kept.title.push(matches.title[at] as number);
    copyPlaces(matches, at, kept.places);
    kept.ends.push(kept.places.length);
  }
  return kept;
}

/** More places than this tell nothing about nearness. */
const MOST_PLACES = 64;

export function findMatch(
  { records, body, title, ends, places }: TermMatches,
  record: number,
): TermMatch | undefined {
  let [low, high] = [0, records.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((records[middle] as number) < record) low = middle + 1;
    else high = middle;
  }
  if (records[low] !== record) return undefined;
  const from = low === 0 ? 0 : (ends[low - 1] as number);
  return {
    body: body[low] as number,
    title: title[low] as number,
    places: places.slice(from, Math.min(ends[low] as number, from + MOST_PLACES)),
  };
}
