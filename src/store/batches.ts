import type { Value } from './values.ts';

/** The part of a record that a store indexes, by field. */
export interface IndexedFields {
  /** The time that the stream is ordered by. */
  readonly t: number;
  /** Values of fields that can be filtered, sorted and summed. */
  readonly values: Readonly<Record<string, Value>>;
  /** Index texts of fields that are searched. */
  readonly texts: Readonly<Record<string, string>>;
}

/** One change to a stream. `data` is the whole record as JSON. */
export type Change =
  | ({
      readonly op: 'put';
      readonly key: string;
      readonly emittedAt: number;
      readonly data: string;
    } & IndexedFields)
  | { readonly op: 'delete'; readonly key: string; readonly emittedAt: number };

/** The effect of a change. `held`: the caller stores it later, see `holdsChanges`. */
export type Outcome = 'new' | 'changed' | 'same' | 'deleted' | 'held';

export interface BatchOptions {
  /** The import that writes the batch, so that it can be undone. */
  readonly importId?: number | undefined;
  /** Stores only new records: a put that would change a record is `held`. */
  readonly holdsChanges?: boolean;
}

/** Writes of records. */
export interface BatchStore {
  /** Stores a batch as one transaction: records, history, counts and text index change together. Returns one outcome per change. */
  write(streamId: number, changes: readonly Change[], options?: BatchOptions): Promise<Outcome[]>;
  /** Indexes all records of a stream again, as part of the current transaction. Returns the number of records. */
  reindex(
    streamId: number,
    index: (data: Record<string, unknown>) => Pick<IndexedFields, 'values' | 'texts'>,
  ): Promise<number>;
  /**
   * Erases the records of all removed connections, including their words in the index, and then the removals. If it is
   * interrupted, the next call erases the rest.
   */
  finishRemovals(
    onProgress?: (erased: number) => void,
  ): Promise<{ records: number; connectionIds: string[] }>;
}

/** Decides what a put does to the record stored under its key. A dry run uses the same rule. */
export function decidePut(
  put: { readonly emittedAt: number; readonly data: string },
  stored: { readonly emitted_at: number; readonly data: string } | undefined,
  deletedAt: number | undefined,
  wasStoredBefore: () => boolean,
): 'new' | 'changed' | 'same' {
  if (stored === undefined) return deletedAt !== undefined && put.emittedAt <= deletedAt ? 'same' : 'new';
  if (put.emittedAt < stored.emitted_at || stored.data === put.data) return 'same';
  // Two versions of the same time: an import that is sent again must not alternate between them.
  return put.emittedAt === stored.emitted_at && wasStoredBefore() ? 'same' : 'changed';
}
