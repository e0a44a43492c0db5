import { DAY_MS } from '../../time/durations.ts';
import { type Change, decidePut, type Outcome } from '../batches.ts';
import { NO_TIME } from '../values.ts';

export type Put = Change & { readonly op: 'put' };

/** The stored state of a record, as far as a change needs it. */
export interface StoredRecord {
  readonly rid: number;
  readonly t: number;
  readonly emitted_at: number;
  readonly seq: number;
  readonly data: string;
}

/** The rows of one stream that a batch reads and writes. Reads see what the batch wrote before. */
export interface BatchRows {
  find(key: string): StoredRecord | undefined;
  findDeletion(key: string): number | undefined;
  /** Returns whether the history has a version with this time and data. */
  hasPastVersion(key: string, emittedAt: number, data: string): boolean;
  /** Stores a later time of the same data. */
  confirm(key: string, stored: StoredRecord, emittedAt: number): void;
  /** Moves the current version to the history. `seq` is the change that replaces it. */
  moveToHistory(key: string, stored: StoredRecord, seq: number): void;
  /** Empties all past versions of a record that was deleted. */
  clearHistory(key: string): void;
  /** Adds a deletion, or raises its time and change number. */
  addDeletion(key: string, emittedAt: number, seq: number): void;
  removeDeletion(key: string): void;
  remove(key: string, stored: StoredRecord): void;
  /** Adds a record. `stored` is the version that was removed just before, if there was one. */
  add(put: Put, seq: number, stored: StoredRecord | undefined): void;
}

export interface AppliedChanges {
  readonly outcomes: Outcome[];
  /** The number of the last change. */
  readonly seq: number;
  /** The change in the number of records per day. */
  readonly days: ReadonlyMap<number, number>;
}

/** Returns the day that a record is counted under. */
export function dayOf(t: number): number {
  return t === NO_TIME ? NO_TIME : Math.floor(t / DAY_MS);
}

/** Applies a batch to the rows of a stream, in order. Changes are numbered after `seq`. */
export function applyChanges(
  rows: BatchRows,
  changes: readonly Change[],
  seq: number,
  holdsChanges: boolean,
): AppliedChanges {
  const batch = new Batch(rows, seq, holdsChanges);
  const outcomes = changes.map((change) =>
    change.op === 'delete' ? batch.delete(change.key, change.emittedAt) : batch.put(change),
  );
  return { outcomes, seq: batch.seq, days: batch.days };
}

class Batch {
  readonly #rows: BatchRows;
  readonly #holdsChanges: boolean;
  readonly days = new Map<number, number>();
  seq: number;

  constructor(rows: BatchRows, seq: number, holdsChanges: boolean) {
    this.#rows = rows;
    this.seq = seq;
    this.#holdsChanges = holdsChanges;
  }

  delete(key: string, emittedAt: number): Outcome {
    const rows = this.#rows;
    const stored = rows.find(key);
    if (stored === undefined) {
      // A deletion may arrive before the record that it deletes: an older record must not come back.
      rows.addDeletion(key, emittedAt, 0);
      return 'same';
    }
    if (emittedAt < stored.emitted_at) return 'same';
    this.seq += 1;
    rows.moveToHistory(key, stored, this.seq);
    rows.clearHistory(key);
    rows.addDeletion(key, emittedAt, this.seq);
    rows.remove(key, stored);
    this.#count(stored.t, -1);
    return 'deleted';
  }

  put(put: Put): Outcome {
    const rows = this.#rows;
    const { key, emittedAt, data } = put;
    const stored = rows.find(key);
    const deletedAt = stored === undefined ? rows.findDeletion(key) : undefined;
    const outcome = decidePut(put, stored, deletedAt, () => rows.hasPastVersion(key, emittedAt, data));
    if (outcome === 'same') {
      // Confirms the record: an older change must not overwrite it.
      if (stored?.data === data && emittedAt > stored.emitted_at) rows.confirm(key, stored, emittedAt);
      return outcome;
    }
    if (outcome === 'changed' && this.#holdsChanges) return 'held';
    if (deletedAt !== undefined) rows.removeDeletion(key);
    this.seq += 1;
    if (stored !== undefined) {
      rows.moveToHistory(key, stored, this.seq);
      rows.remove(key, stored);
      this.#count(stored.t, -1);
    }
    rows.add(put, this.seq, stored);
    this.#count(put.t, 1);
    return outcome;
  }

  #count(t: number, by: number): void {
    const day = dayOf(t);
    this.days.set(day, (this.days.get(day) ?? 0) + by);
  }
}
