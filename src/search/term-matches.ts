import type { Postings } from './search-source.ts';

/** What a word counts in each part of a record. */
const TITLE = 2;
const PEOPLE = 1.2;

/**
 * What each record that has a term has of it: lists side by side, by the numbers of the records in ascending order. Lists
 * and not an object for each, because thousands of records are scored and only the best are looked at one by one.
 */
export interface TermMatches {
  readonly records: ArrayLike<number>;
  /** Weighted counts in texts that have a length, and in titles, which are as long as titles are. */
  readonly body: ArrayLike<number>;
  readonly title: ArrayLike<number>;
  /** Where the positions of each record end; they begin where those of the one before end. */
  readonly ends: ArrayLike<number>;
  readonly positions: ArrayLike<number>;
}

/** What one record has of a term. */
export interface TermMatch {
  readonly body: number;
  readonly title: number;
  readonly positions: readonly number[];
}

type Lists = { -readonly [name in keyof TermMatches]: number[] };

const emptyLists = (): Lists => ({ records: [], body: [], title: [], ends: [], positions: [] });

export const NO_MATCHES: TermMatches = emptyLists();

/** What a spelling contributes; `quality` is 1 for the word itself and less for others. */
export function matchPostings(postings: Postings, quality: number): TermMatches {
  const { records, ends, positions } = postings;
  const title = new Float64Array(records.length);
  const body = new Float64Array(records.length);
  for (let at = 0; at < records.length; at++) {
    title[at] = (postings.title[at] as number) * TITLE * quality;
    body[at] = ((postings.body[at] as number) + (postings.people[at] as number) * PEOPLE) * quality;
  }
  return { records, title, body, ends, positions };
}

/** Records that have a term, without looking where it stands. */
export function matchPresence(records: Iterable<number>): TermMatches {
  const sorted = [...new Set(records)].sort((a, b) => a - b);
  const zeros = sorted.map(() => 0);
  return { records: sorted, body: sorted.map(() => 1), title: zeros, ends: zeros, positions: [] };
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
      copyPositions(one, a++, joined.positions);
    }
    if (right === record) {
      body += other.body[b] as number;
      title += other.title[b] as number;
      copyPositions(other, b++, joined.positions);
    }
    joined.records.push(record);
    joined.body.push(body);
    joined.title.push(title);
    joined.ends.push(joined.positions.length);
  }
  return joined;
}

function copyPositions({ ends, positions }: TermMatches, at: number, into: number[]): void {
  for (let next = at === 0 ? 0 : (ends[at - 1] as number); next < (ends[at] as number); next++)
    into.push(positions[next] as number);
}

/** The matches of some of the records. */
export function keepMatches(matches: TermMatches, isKept: (record: number) => boolean): TermMatches {
  const kept = emptyLists();
  for (let at = 0; at < matches.records.length; at++) {
    const record = matches.records[at] as number;
    if (!isKept(record)) continue;
    kept.records.push(record);
    kept.body.push(matches.body[at] as number);
    kept.title.push(matches.title[at] as number);
    copyPositions(matches, at, kept.positions);
    kept.ends.push(kept.positions.length);
  }
  return kept;
}

/** More positions than this tell nothing about nearness. */
const MAX_POSITIONS = 64;

export function findMatch(
  { records, body, title, ends, positions }: TermMatches,
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
  const end = Math.min(ends[low] as number, from + MAX_POSITIONS);
  const own: number[] = [];
  for (let at = from; at < end; at++) own.push(positions[at] as number);
  return {
    body: body[low] as number,
    title: title[low] as number,
    positions: own,
  };
}
