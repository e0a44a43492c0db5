import type { MatchTerms, Spelling } from '../words/match-terms.ts';
import type { Condition } from './conditions.ts';
import type { Scope } from './scope.ts';

/** One stream to search, with the conditions that its records must meet. */
export interface MatchPart {
  readonly scope: Scope;
  readonly conditions: readonly Condition[];
}

/** A record that matched. Its fields are read later, for as many records as are needed. */
export interface MatchedRow {
  /** The record's number: good for this store and this search, and without meaning by itself. */
  readonly rid: number;
  readonly stream_id: number;
  readonly key: string;
  readonly t: number;
  /** Bytes of the whole record, hidden fields included: decides how it is read, never what an answer holds. */
  readonly size: number;
}

export interface MeasuredRow extends MatchedRow {
  /** How many words the granted texts of the record have. */
  readonly words: number;
}

/** What a searched field is for a record. */
export type FieldRole = 'title' | 'people' | 'body';

/** The role of each granted text column, by stream. */
export type ColumnRoles = ReadonlyMap<number, readonly (FieldRole | undefined)[]>;

/**
 * The postings of a spelling as parallel lists, by record number in ascending order: how often it occurs in fields of
 * each role, and where the positions of the record end. They begin where those of the previous record end.
 */
export interface Postings extends Readonly<Record<FieldRole, Uint32Array>> {
  readonly records: Float64Array;
  readonly ends: Uint32Array;
  readonly positions: Float64Array;
}

export interface TextRequest {
  /** The needed fields of each stream, by its number. Only granted ones are read. */
  readonly fields: ReadonlyMap<number, readonly string[]>;
  /** How much of a text is needed; the rest is cut off. */
  readonly characters: number;
}

/** A record that was found, with the needed part of what is granted of it. */
export interface TextRow {
  readonly row: MatchedRow;
  readonly record: Record<string, unknown>;
}

/** Full-text reads of visible records. A store never ranks: its own statistics count hidden records. */
export interface SearchReads {
  /** The numbers of matching records, the newest by a granted time first, then those without one. */
  newestMatching(parts: readonly MatchPart[], terms: MatchTerms, limit: number): Promise<number[]>;
  /** The numbers of all matching records, or of the newest where there are more than `limit`. */
  matching(parts: readonly MatchPart[], terms: MatchTerms, limit: number): Promise<number[]>;
  /** How many records match, counted up to `limit`. */
  countMatching(parts: readonly MatchPart[], terms: MatchTerms, limit: number): Promise<number>;
  postings(parts: readonly MatchPart[], roles: ColumnRoles, spelling: Spelling): Promise<Postings>;
  /** The newest of some records, in the order of `newestMatching`, without those that are gone or hidden since. */
  newest(parts: readonly MatchPart[], records: readonly number[], limit: number): Promise<MeasuredRow[]>;
  /** The needed fields of some records, one record after another, without those that are gone or hidden since. */
  texts(
    parts: readonly MatchPart[],
    rows: readonly MatchedRow[],
    request: TextRequest,
  ): AsyncGenerator<TextRow>;
  /** Words of the whole store that begin so, in order. Shown to nobody before a visible record was seen to hold them. */
  wordsBeginning(beginning: string): Promise<string[]>;
}
