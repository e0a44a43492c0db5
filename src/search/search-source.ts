import type { MatchTerms, Spelling } from '../words/match-terms.ts';
import type { Candidate } from './rank.ts';

/**
 * What each record that has a spelling has of it: lists side by side, by the numbers of the records in ascending order.
 * A record's number means nothing beyond this search.
 */
export interface Postings {
  readonly records: ArrayLike<number>;
  /** How often it stands in the title, in fields that name people, and in other texts. */
  readonly title: ArrayLike<number>;
  readonly people: ArrayLike<number>;
  readonly body: ArrayLike<number>;
  /** Where the positions of each record end; they begin where those of the one before end. */
  readonly ends: ArrayLike<number>;
  /** The first positions in each record. Neighbours in one text differ by one; words of different texts lie far apart. */
  readonly positions: ArrayLike<number>;
}

/** A record that may be shown, and how many words it has. */
export interface Measured<T extends Candidate> {
  readonly record: number;
  readonly candidate: T;
  readonly words: number;
}

/** How a search reads. All of it is visible; nothing hidden takes part in any answer of these. */
export interface SearchSource<T extends Candidate> {
  /** How many records there are to search. */
  countRecords(): Promise<number>;
  /** How many records match, counted up to a number. */
  countMatching(terms: MatchTerms, limit: number): Promise<number>;
  /** The records that match; where there are more than `limit`, the newest of them. */
  listMatching(terms: MatchTerms, limit: number): Promise<number[]>;
  /** The newest records that match. */
  listNewest(terms: MatchTerms, limit: number): Promise<number[]>;
  findPostings(spelling: Spelling): Promise<Postings>;
  /** Of these records, so many: the newest, in an order that is always the same. */
  measureNewest(records: readonly number[], most: number): Promise<Measured<T>[]>;
  /** The beginnings of texts, one record after another. */
  read(candidates: readonly T[], characters: number): AsyncIterable<{ texts: readonly { text: string }[] }>;
  /** Words like a misspelt one that occur, nearest first, and in how many records, counted up to a number. */
  findSimilar(word: string, countTo: number): Promise<CountedWord[]>;
  /** Words that occur and have these letters in them, of those in a role: ends first, then the shorter ones. */
  findCompounds(
    letters: string,
    roleOf: (word: string) => 'end' | 'middle' | undefined,
    countTo: number,
  ): Promise<CountedWord[]>;
  /** Words that occur, begin so and pass the test. */
  findForms(beginning: string, isForm: (word: string) => boolean, countTo: number): Promise<CountedWord[]>;
}

export interface CountedWord {
  readonly word: string;
  readonly count: number;
}
