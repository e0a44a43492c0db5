import { createEventLog } from '../audit/events.ts';
import { endConnectionEverywhere } from '../grants/end-connection-everywhere.ts';
import { dropConnection, noConnection } from '../schema-index/edit-catalog.ts';
import type { Store } from '../store/store.ts';
import { removeKeptFiles } from './kept-files/sweep-kept-files.ts';

export interface Removed {
  readonly records: number;
  /** Grants that included the connections. */
  readonly grants: number;
}

/**
 * Removes connections with all their records. Apps lose access first. Then the connections leave the catalog and their
 * records are erased from every file, in batches. The next call or server start finishes an interrupted removal.
 */
export async function removeConnections(
  store: Store,
  connectionIds: readonly string[],
  now: Date,
  onProgress: (erased: number) => void = () => {},
): Promise<Removed> {
  const present = (await store.write.catalog.listConnections()).map(({ connection_id }) => connection_id);
  const begun = await store.write.catalog.listRemovals();
  for (const id of connectionIds) if (!present.includes(id) && !begun.includes(id)) throw noConnection();
  store.write.releaseReserve();
  let grants = 0;
  for (const id of connectionIds.filter((one) => present.includes(one))) {
    grants += await endConnectionEverywhere(store.write, createEventLog(store.audit), id, now);
    await dropConnection(store.write, id, now);
    // Again, for access that was granted between the two steps.
    grants += await endConnectionEverywhere(store.write, createEventLog(store.audit), id, now);
  }
  return { records: await finishErasing(store, now, onProgress), grants };
}

/** Finishes removals that this or an earlier process began. Returns the number of erased records. */
export async function finishErasing(
  store: Store,
  now: Date,
  onProgress: (erased: number) => void = () => {},
): Promise<number> {
  // First, because a finished removal is forgotten.
  for (const id of await store.write.catalog.listRemovals()) await removeKeptFiles(store, id);
  const { records, connectionIds } = await store.write.batches.finishRemovals(onProgress);
  const writeEvent = createEventLog(store.audit);
  for (const id of connectionIds) {
    await removeKeptFiles(store, id);
    await writeEvent({ kind: 'connection_removed', detail: id }, now);
  }
  return records;
}
