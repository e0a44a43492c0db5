import type { CountedWord, MatchTerms, Spelling } from '../words/match-terms.ts';
import type { Candidate } from './rank.ts';

/**
 * The postings of a spelling, as parallel arrays in ascending order of record number. A record number is valid within one
 * search only.
 */
export interface Postings {
  readonly records: ArrayLike<number>;
  /** Occurrences in the title, in fields that name people, and in other texts. */
  readonly title: ArrayLike<number>;
  readonly people: ArrayLike<number>;
  readonly body: ArrayLike<number>;
  /** The end of each record's slice of `positions`; it starts at the end of the previous one. */
  readonly ends: ArrayLike<number>;
  /** The first positions in each record. Adjacent words differ by one; words of different texts are far apart. */
  readonly positions: ArrayLike<number>;
}

/** A visible record and its number of words. */
export interface Measured<T extends Candidate> {
  readonly record: number;
  readonly candidate: T;
  readonly words: number;
}

/** The reads of a search. Hidden records affect none of the results. */
export interface SearchSource<T extends Candidate> {
  /** Counts all records in scope. */
  countRecords(): Promise<number>;
  /** Counts matching records, up to `limit`. */
  countMatching(terms: MatchTerms, limit: number): Promise<number>;
  /** Lists matching records, at most the newest `limit`. */
  listMatching(terms: MatchTerms, limit: number): Promise<number[]>;
  listNewest(terms: MatchTerms, limit: number): Promise<number[]>;
  findPostings(spelling: Spelling): Promise<Postings>;
  /** Returns the newest of these records, in a stable order. */
  measureNewest(records: readonly number[], limit: number): Promise<Measured<T>[]>;
  /** Reads the first characters of each text, one record at a time. */
  read(candidates: readonly T[], characters: number): AsyncIterable<{ texts: readonly { text: string }[] }>;
  /** Finds visible words similar to a misspelled one, nearest first. Stops counting the records of a word at `countTo`. */
  findSimilar(word: string, countTo: number): Promise<CountedWord[]>;
  /** Finds visible compounds that contain these letters at the end or in the middle (`roleOf`), best first. */
  findCompounds(
    letters: string,
    roleOf: (word: string) => 'end' | 'middle' | undefined,
    countTo: number,
  ): Promise<CountedWord[]>;
  /** Finds visible words with a prefix that pass the test. */
  findForms(prefix: string, isForm: (word: string) => boolean, countTo: number): Promise<CountedWord[]>;
}
