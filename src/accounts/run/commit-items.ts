import { mergeSpans } from '../../import/merge-totals.ts';
import type { SyncPlan } from '../sync-source.ts';
import { type ItemId, type PutItem, RecordSet } from './record-references.ts';

export const MAX_ID_CHARACTERS = 2_000;

/** The items of one commit. Of several changes of an item, the last one counts. */
export class CommitItems {
  readonly #put = new Map<string, PutItem>();
  readonly #removed = new Map<string, ItemId>();
  /** Records that are stored without an item: no run deletes them. */
  readonly standalone: RecordSet;
  /** Records of items that the commit has put and replaced. */
  readonly superseded: { streamId: number; key: string }[] = [];
  readonly summaries = new Map<string, Map<string, Record<string, unknown>>>();

  constructor(standalone = new RecordSet()) {
    this.standalone = standalone;
  }

  get removed(): ReadonlyMap<string, ItemId> {
    return this.#removed;
  }

  get puts(): ReadonlyMap<string, PutItem> {
    return this.#put;
  }

  put(
    { collection, item, version }: { collection: string; item: string; version?: string },
    records: PutItem['records'],
  ): void {
    const id = JSON.stringify([collection, item]);
    this.#supersede(id);
    this.#removed.delete(id);
    this.#put.set(id, { collection, item, version: version?.slice(0, MAX_ID_CHARACTERS) ?? null, records });
  }

  remove({ collection, item }: ItemId): void {
    const id = JSON.stringify([collection, item]);
    this.#supersede(id);
    this.#put.delete(id);
    this.#removed.set(id, { collection, item });
  }

  /** Merges the summaries of one commit. Stored summaries are merged when they are written. */
  addSummary(stream: string, key: string, data: Record<string, unknown>, totals: SyncPlan['totals']): void {
    const summaries = this.summaries.get(stream) ?? new Map<string, Record<string, unknown>>();
    const earlier = summaries.get(key);
    const own = totals?.[stream];
    if (earlier !== undefined && own !== undefined) mergeSpans(earlier, data, own);
    this.summaries.set(stream, summaries.set(key, data));
  }

  #supersede(id: string): void {
    this.superseded.push(...(this.#put.get(id)?.records ?? []));
  }
}
