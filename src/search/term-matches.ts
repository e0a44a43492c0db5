import type { Postings } from './search-source.ts';

/** Weights of an occurrence in a title and in a field that names people; elsewhere it is 1. */
const TITLE_WEIGHT = 2;
const PEOPLE_WEIGHT = 1.2;

/**
 * The records that match a term, as parallel arrays in ascending order of record number. Arrays instead of objects, because
 * thousands of records are scored and only the best are read one by one.
 */
export interface TermMatches {
  readonly records: ArrayLike<number>;
  /** Weighted occurrences in body texts and in titles. Only the body is normalized by length. */
  readonly body: ArrayLike<number>;
  readonly title: ArrayLike<number>;
  /** The end of each record's slice of `positions`; it starts at the end of the previous one. */
  readonly ends: ArrayLike<number>;
  readonly positions: ArrayLike<number>;
}

/** The match of one record. */
export interface TermMatch {
  readonly body: number;
  readonly title: number;
  readonly positions: readonly number[];
}

type Lists = { -readonly [name in keyof TermMatches]: number[] };

const emptyLists = (): Lists => ({ records: [], body: [], title: [], ends: [], positions: [] });

export const NO_MATCHES: TermMatches = emptyLists();

/** Returns the matches of one spelling. `quality` is 1 for the word as typed and less for variants. */
export function matchPostings(postings: Postings, quality: number): TermMatches {
  const { records, ends, positions } = postings;
  const title = new Float64Array(records.length);
  const body = new Float64Array(records.length);
  for (let at = 0; at < records.length; at++) {
    title[at] = (postings.title[at] as number) * TITLE_WEIGHT * quality;
    body[at] = ((postings.body[at] as number) + (postings.people[at] as number) * PEOPLE_WEIGHT) * quality;
  }
  return { records, title, body, ends, positions };
}

/** Returns matches with one occurrence per record, for terms whose postings are not read. */
export function matchPresence(records: Iterable<number>): TermMatches {
  const sorted = [...new Set(records)].sort((a, b) => a - b);
  const zeros = sorted.map(() => 0);
  return { records: sorted, body: sorted.map(() => 1), title: zeros, ends: zeros, positions: [] };
}

/** Adds up the matches of two spellings. */
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

/** Returns the matches of the records that pass a test. */
export function filterMatches(matches: TermMatches, test: (record: number) => boolean): TermMatches {
  const filtered = emptyLists();
  for (let at = 0; at < matches.records.length; at++) {
    const record = matches.records[at] as number;
    if (!test(record)) continue;
    filtered.records.push(record);
    filtered.body.push(matches.body[at] as number);
    filtered.title.push(matches.title[at] as number);
    copyPositions(matches, at, filtered.positions);
    filtered.ends.push(filtered.positions.length);
  }
  return filtered;
}

/** Positions per record that proximity scoring compares. */
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
