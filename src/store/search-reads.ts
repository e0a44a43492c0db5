import type { MatchTerms, Spelling } from '../words/match-terms.ts';
import type { Condition } from './conditions.ts';
import type { Scope } from './scope.ts';

/** One stream to search, and the conditions that its records must meet. */
export interface MatchPart {
  readonly scope: Scope;
  readonly conditions: readonly Condition[];
}

/** A record that matched. Its fields are read later, with `texts`. */
export interface MatchedRow {
  /** The number of the record. It has no meaning outside of this store and this search. */
  readonly rid: number;
  readonly stream_id: number;
  readonly key: string;
  readonly t: number;
  /** Bytes of the whole record, hidden fields included. It decides how a record is read, never what an answer holds. */
  readonly size: number;
}

export interface MeasuredRow extends MatchedRow {
  /** The number of words in the granted texts of the record. */
  readonly words: number;
}

/** What a searched field is for its record. */
export type FieldRole = 'title' | 'people' | 'body';

/** The role of each granted field that is searched, by stream number and field name. */
export type FieldRoles = ReadonlyMap<number, ReadonlyMap<string, FieldRole>>;

/**
 * The postings of a spelling as parallel lists, in ascending order of record number: how often it occurs in fields of
 * each role, and where the positions of the record end. They begin where those of the previous record end.
 */
export interface Postings extends Readonly<Record<FieldRole, Uint32Array>> {
  readonly records: Float64Array;
  readonly ends: Uint32Array;
  readonly positions: Float64Array;
}

export interface TextRequest {
  /** The needed fields of each stream, by stream number. Only granted fields are read. */
  readonly fields: ReadonlyMap<number, readonly string[]>;
  /** The length at which texts are cut. */
  readonly characters: number;
}

/** A matched record with the needed part of its granted fields. */
export interface TextRow {
  readonly row: MatchedRow;
  readonly record: Record<string, unknown>;
}

/** Full-text reads of visible records. A store never ranks, because its own statistics count hidden records. */
export interface SearchReads {
  /**
   * Runs the reads of one search. On a store whose reads could see commits in between, they see the same data, and `work`
   * gets the number of the latest change in it.
   */
  inSnapshot<T>(work: (horizon?: number) => Promise<T>): Promise<T>;
  /** Returns the numbers of the first `limit` matching records: newest first by a granted time, then those without one. */
  newestMatching(parts: readonly MatchPart[], terms: MatchTerms, limit: number): Promise<number[]>;
  /** Returns the numbers of all matching records in any order, or of the newest if there are more than `limit`. */
  matching(parts: readonly MatchPart[], terms: MatchTerms, limit: number): Promise<number[]>;
  /** Counts matching records, up to `limit`. */
  countMatching(parts: readonly MatchPart[], terms: MatchTerms, limit: number): Promise<number>;
  /** Returns where a spelling occurs in the granted fields of visible records. */
  postings(parts: readonly MatchPart[], roles: FieldRoles, spelling: Spelling): Promise<Postings>;
  /** Returns the newest of some records, in the order of `newestMatching`, without those that are gone or hidden by now. */
  newest(parts: readonly MatchPart[], records: readonly number[], limit: number): Promise<MeasuredRow[]>;
  /** Yields the needed fields of some records, in their order, without those that are gone or hidden by now. */
  texts(
    parts: readonly MatchPart[],
    rows: readonly MatchedRow[],
    request: TextRequest,
  ): AsyncGenerator<TextRow>;
  /** Returns words of all records that have a beginning, in order. They are shown only once a visible record is known to have them. */
  wordsWithPrefix(beginning: string): Promise<string[]>;
}
