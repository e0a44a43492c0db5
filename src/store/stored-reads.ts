import type { Value } from './values.ts';

/** How much there is of a stream, and on which days (since 1970, UTC). Records without a time are not part of the span. */
export interface StreamSpan {
  readonly stream_id: number;
  readonly records: number;
  readonly first: number | null;
  readonly last: number | null;
}

/** What is stored under some keys, and when what is no longer there was deleted. */
export interface StoredRecords {
  readonly records: ReadonlyMap<string, { readonly emitted_at: number; readonly data: string }>;
  readonly deletions: ReadonlyMap<string, number>;
}

/** Reads without a grant: counts and dates for the owner, and what an import compares its records with. */
export interface StoredReads {
  /** Counts and spans by stream, from the counts per day. The span may be cut at a day, such as today. */
  spans(until?: number): Promise<Map<number, StreamSpan>>;
  count(): Promise<number>;
  /** When each stream last changed, by its number, in the order of their names. */
  lastChanges(): Promise<Map<number, Date>>;
  find(streamId: number, keys: readonly string[]): Promise<StoredRecords>;
  /** How many records of a stream have a value in a slot. */
  countSlotValue(streamId: number, slot: number, value: Value): Promise<number>;
  /** The times of the records with these keys. */
  keyTimes(streamId: number, keys: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Keys of the records that have a value in one of the fields. For streams of few records. */
  keysWithValue(streamId: number, fields: readonly string[]): Promise<string[]>;
  isEmptyConnection(connectionId: string): Promise<boolean>;
  /**
   * Words of the whole store in the order in which they were first seen, for finding what a misspelt word may mean. A
   * word is shown to nobody before a visible record was seen to hold it.
   */
  words(after: number, limit: number): Promise<{ words: string[]; last: number }>;
}
