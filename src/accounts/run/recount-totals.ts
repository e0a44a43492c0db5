import type { Totals } from '../../import/importer.ts';
import { createDataPreparer } from '../../ingest/prepare-record.ts';
import type { CatalogStream } from '../../schema-index/catalog.ts';
import type { Change } from '../../store/batches.ts';
import { toValue } from '../../store/field-value.ts';
import type { Store } from '../../store/store.ts';

type AllTotals = Readonly<Record<string, Totals>>;

/** The summaries of records that are about to be deleted: chats, threads. */
export type Parents = ReadonlyMap<CatalogStream, ReadonlySet<string>>;

/** Finds the summaries of some records, before they are deleted. */
export async function findParents(
  store: Store,
  streams: ReadonlyMap<string, CatalogStream>,
  totals: AllTotals,
  streamId: number,
  keys: readonly string[],
): Promise<Parents> {
  const parents = new Map<CatalogStream, Set<string>>();
  for (const [name, { of, by }] of Object.entries(totals)) {
    const [parent, child] = [streams.get(name), streams.get(of)];
    if (parent === undefined || child?.streamId !== streamId) continue;
    const { records } = await store.write.uncommitted.find(streamId, keys);
    const found = parents.get(parent) ?? new Set<string>();
    for (const { data } of records.values()) {
      const value = (JSON.parse(data) as Record<string, unknown>)[by];
      if (typeof value === 'string' || typeof value === 'number') found.add(String(value));
    }
    parents.set(parent, found);
  }
  return parents;
}

/** Recomputes summaries after some of their records were deleted. Returns the changes of one summary stream. */
export async function recountTotals(
  store: Store,
  streams: ReadonlyMap<string, CatalogStream>,
  totals: Totals,
  parent: CatalogStream,
  keys: readonly string[],
  { plainZone, emittedAt }: { readonly plainZone: string; readonly emittedAt: number },
): Promise<Change[]> {
  const children = streams.get(totals.of);
  if (children === undefined || children.plan.slots[totals.by] === undefined) return [];
  const { records } = await store.write.uncommitted.find(parent.streamId, keys);
  const prepare = createDataPreparer(parent, plainZone);
  const changes: Change[] = [];
  for (const [key, stored] of records) {
    const data = JSON.parse(stored.data) as Record<string, unknown>;
    const value = toValue('string', key, 'UTC');
    const count = await store.write.uncommitted.countValue(children, totals.by, value);
    if (count === data[totals.count]) continue;
    data[totals.count] = count;
    const prepared = prepare(data, emittedAt);
    if (prepared.kind === 'change') changes.push(prepared.change);
  }
  return changes;
}
