import type { StoredStream } from './scope.ts';
import type { Value } from './values.ts';

/** The number of records of a stream, and its first and last day (since 1970, UTC). Null if no record has a time. */
export interface StreamSpan {
  readonly stream_id: number;
  readonly records: number;
  readonly first: number | null;
  readonly last: number | null;
}

/** The records stored under some keys, and when deleted ones were deleted. */
export interface StoredRecords {
  readonly records: ReadonlyMap<string, { readonly emitted_at: number; readonly data: string }>;
  readonly deletions: ReadonlyMap<string, number>;
}

/** Reads without a grant: counts and dates for the owner, and records that an import compares with its own. */
export interface StoredReads {
  /** Returns the span of each stream that has records, by stream number. Days after `until` are ignored; records are always counted. */
  spans(until?: number): Promise<Map<number, StreamSpan>>;
  /** Counts all records, without those of removed connections. */
  count(): Promise<number>;
  /** Returns when each stream last changed, by stream number, in order of connection and stream name. */
  lastChanges(): Promise<Map<number, Date>>;
  /** Returns the records and deletions under some keys. */
  find(streamId: number, keys: readonly string[]): Promise<StoredRecords>;
  /** Counts the records of a stream that have a value in a filterable field. */
  countValue(stream: Pick<StoredStream, 'streamId' | 'plan'>, field: string, value: Value): Promise<number>;
  /** Returns the times of the records with these keys. */
  keyTimes(streamId: number, keys: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Returns the keys of records that have a value in one of the fields. For streams of few records. */
  keysWithValue(streamId: number, fields: readonly string[]): Promise<string[]>;
  /** Returns whether a connection has no records. */
  isEmptyConnection(connectionId: string): Promise<boolean>;
  /**
   * Returns words of all records, in the order in which they were first stored, after a position. They are compared with
   * misspelt words, and shown only once a visible record is known to have them.
   */
  words(after: number, limit: number): Promise<{ words: string[]; last: number }>;
}
