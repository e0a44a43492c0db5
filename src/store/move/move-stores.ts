import type { Value } from '../values.ts';
import type { MovedTable } from './tables.ts';
import type { WordDigest } from './word-digest.ts';

/** The values of a row in the order of its table's columns, then its slots. */
export type Row = readonly Value[];

/** The values of a row's key. */
export type RowKey = readonly Value[];

/** A store whose tables can be read in order of their keys, from one snapshot. */
export interface TableReader {
  count(table: MovedTable): Promise<number>;
  /** Returns the rows after a key, at most a page; an empty list at the end. */
  readPage(table: MovedTable, after: RowKey | undefined): Promise<Row[]>;
  /** Adds every word of these streams' records to a digest. */
  digestWords(digest: WordDigest, streamIds: ReadonlySet<number>, onWord: () => void): Promise<void>;
}

/** The store that is moved. It is read only. */
export interface MoveSource extends TableReader {
  /** Where the data is, for the owner. */
  readonly location: string;
  readonly secret: Uint8Array;
  /** Changes with every change of the store, so that an interrupted move notices one. */
  fingerprint(): Promise<string>;
  close(): Promise<void>;
}

/** The store that is filled. It cannot be opened until it is published. */
export interface MoveTarget {
  readonly location: string;
  /** Prepares the target, or continues with what an interrupted move of the same source has written. */
  prepare(fingerprint: string): Promise<'new' | 'continued' | 'restarted'>;
  /** Returns the key of the last row that was written. */
  findLastKey(table: MovedTable): Promise<RowKey | undefined>;
  /** Writes rows as one transaction. The words of records are indexed with them. */
  writeRows(table: MovedTable, rows: readonly Row[]): Promise<void>;
  /** Replaces the rows of a table that has few. */
  replaceRows(table: MovedTable, rows: readonly Row[]): Promise<void>;
  /** Runs work with everything that was written. */
  withReader<T>(work: (reader: TableReader) => Promise<T>): Promise<T>;
  /** Makes the target an ordinary store. */
  publish(): Promise<void>;
  close(): Promise<void>;
}
