import { isLarge } from '../../large/long-value.ts';
import type { BatchRows, Put, StoredRecord } from '../../records/apply-changes.ts';
import { canKeepRid } from '../../records/rid.ts';
import type { createRowLayout, IndexRow } from '../../records/slots.ts';
import type { FreeRids } from './free-rids.ts';
import type { LoadedRows } from './load-rows.ts';

/** A version that a batch wrote: a current record, or one that the same batch has replaced. */
export interface WrittenVersion extends StoredRecord {
  readonly key: string;
  readonly row: IndexRow;
}

/** A past version that the batch itself has written. It has no data if the record was deleted later. */
export interface WrittenPast {
  readonly version: WrittenVersion;
  readonly toSeq: number;
  isCleared: boolean;
}

interface Deletion {
  readonly emittedAt: number;
  readonly seq: number;
}

/**
 * The rows of a stream that a batch changes, in memory: stored rows are loaded before, and what has changed is written
 * afterwards, by few statements.
 */
export class PendingRows implements BatchRows {
  readonly #loaded: LoadedRows;
  readonly #layOut: ReturnType<typeof createRowLayout>;
  readonly #rids: FreeRids;
  readonly #deletions = new Map<string, Deletion | undefined>();

  /** Records as they are after the batch; undefined for those that were removed. */
  readonly records = new Map<string, WrittenVersion | undefined>();
  /** Stored records that the batch replaced or deleted, and the change that did. */
  readonly replaced = new Map<string, { readonly stored: StoredRecord; readonly toSeq: number }>();
  readonly past: WrittenPast[] = [];
  /** Records whose versions before a change number lose their data. */
  readonly cleared = new Map<string, number>();
  readonly confirmed = new Map<string, number>();

  constructor(loaded: LoadedRows, layOut: ReturnType<typeof createRowLayout>, rids: FreeRids) {
    this.#loaded = loaded;
    this.#layOut = layOut;
    this.#rids = rids;
  }

  find(key: string): StoredRecord | undefined {
    if (this.records.has(key)) return this.records.get(key);
    const stored = this.#loaded.records.get(key);
    const confirmedAt = this.confirmed.get(key);
    return stored === undefined || confirmedAt === undefined
      ? stored
      : { ...stored, emitted_at: confirmedAt };
  }

  findDeletion(key: string): number | undefined {
    return this.#findDeletion(key)?.emittedAt;
  }

  #findDeletion(key: string): Deletion | undefined {
    return this.#deletions.has(key) ? this.#deletions.get(key) : this.#loaded.deletions.get(key);
  }

  hasPastVersion(key: string, emittedAt: number, data: string): boolean {
    const isSame = (version: { emitted_at: number; data: string }) =>
      version.emitted_at === emittedAt && version.data === data;
    if (this.past.some(({ version, isCleared }) => !isCleared && version.key === key && isSame(version)))
      return true;
    if (this.cleared.has(key)) return false;
    const replaced = this.replaced.get(key);
    if (replaced !== undefined && isSame(replaced.stored)) return true;
    return this.#loaded.past.get(key)?.some(isSame) ?? false;
  }

  confirm(key: string, stored: StoredRecord, emittedAt: number): void {
    const written = this.records.get(key);
    if (written === undefined) this.confirmed.set(key, emittedAt);
    else this.records.set(key, { ...written, ...stored, emitted_at: emittedAt });
  }

  moveToHistory(key: string, stored: StoredRecord, toSeq: number): void {
    const version = this.records.get(key);
    if (version === undefined) this.replaced.set(key, { stored, toSeq });
    else this.past.push({ version, toSeq, isCleared: false });
  }

  clearHistory(key: string): void {
    for (const past of this.past) if (past.version.key === key) past.isCleared = true;
    this.cleared.set(
      key,
      this.past.findLast(({ version }) => version.key === key)?.toSeq ?? this.replaced.get(key)?.toSeq ?? 0,
    );
  }

  addDeletion(key: string, emittedAt: number, seq: number): void {
    const known = this.#findDeletion(key);
    this.#deletions.set(key, {
      emittedAt: Math.max(emittedAt, known?.emittedAt ?? emittedAt),
      seq: Math.max(seq, known?.seq ?? seq),
    });
  }

  removeDeletion(key: string): void {
    this.#deletions.set(key, undefined);
  }

  remove(key: string): void {
    this.records.set(key, undefined);
  }

  add(put: Put, seq: number, stored: StoredRecord | undefined): void {
    const { key, t, emittedAt, data } = put;
    const rid = canKeepRid(stored, put) ? stored.rid : this.#rids.take(put);
    this.records.set(key, { key, rid, t, emitted_at: emittedAt, seq, data, row: this.#layOut(put) });
  }

  /** Deletions that the batch added or changed. */
  addedDeletions(): [key: string, deletion: Deletion][] {
    return [...this.#deletions].flatMap(([key, deletion]) =>
      deletion === undefined ? [] : [[key, deletion]],
    );
  }

  removedDeletions(): string[] {
    return [...this.#deletions].flatMap(([key, deletion]) => (deletion === undefined ? [key] : []));
  }

  /** All versions that the batch wrote, except those that it has deleted as well. */
  writtenVersions(): WrittenVersion[] {
    const present = [...this.records.values()].filter((version) => version !== undefined);
    return [...present, ...this.past.flatMap(({ version, isCleared }) => (isCleared ? [] : [version]))];
  }

  largeVersions(): WrittenVersion[] {
    return this.writtenVersions().filter(({ data }) => isLarge(data));
  }
}
