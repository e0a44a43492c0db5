import type { Value } from './values.ts';

/** One change to a stream, ready to be stored. */
export type Change =
  | {
      op: 'put';
      key: string;
      t: number;
      emittedAt: number;
      data: string;
      /** One value per slot, in order. */
      slots: Value[];
      /** One index text per text column, in order; all empty when nothing is searched. */
      texts: string[];
    }
  | { op: 'delete'; key: string; emittedAt: number };

/** `held`: it would change what is stored, and was left for the caller to store later. */
export type Outcome = 'new' | 'changed' | 'same' | 'deleted' | 'held';

export interface BatchOptions {
  /** The import that writes the batch, so that it can be undone. */
  readonly importId?: number | undefined;
  /** Stores only new records: a put that would change a record is `held`. */
  readonly holdsChanges?: boolean;
}

/** Writes of records. */
export interface BatchStore {
  /** Stores a batch as one transaction: records, history, counts and text index change together or not at all. */
  write(streamId: number, changes: readonly Change[], options?: BatchOptions): Promise<Outcome[]>;
  /** Indexes all records of a stream again, as part of the present transaction. Returns how many there are. */
  reindex(
    streamId: number,
    index: (data: Record<string, unknown>) => { slots: Value[]; texts: string[] },
  ): Promise<number>;
  /**
   * Erases the records of all removed connections, down to the last word, and then the removals themselves. Interrupted,
   * the next call erases the rest.
   */
  finishRemovals(
    onProgress?: (erased: number) => void,
  ): Promise<{ records: number; connectionIds: string[] }>;
}

/** What a put does to the record stored under its key. A dry run uses the same rule. */
export function judgePut(
  put: { readonly emittedAt: number; readonly data: string },
  stored: { readonly emitted_at: number; readonly data: string } | undefined,
  deletedAt: number | undefined,
  wasThere: () => boolean,
): 'new' | 'changed' | 'same' {
  if (stored === undefined) return deletedAt !== undefined && put.emittedAt <= deletedAt ? 'same' : 'new';
  if (put.emittedAt < stored.emitted_at || stored.data === put.data) return 'same';
  // The same moment twice: an import that is sent again must not alternate between the two.
  return put.emittedAt === stored.emitted_at && wasThere() ? 'same' : 'changed';
}
