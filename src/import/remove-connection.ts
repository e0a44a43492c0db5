import { createEventLog } from '../audit/events.ts';
import { endConnectionEverywhere } from '../grants/end-connection-everywhere.ts';
import { dropConnection, noConnection } from '../schema-index/edit-catalog.ts';
import { eraseStreams, eraseTraces } from '../store/erase-streams.ts';
import type { Store } from '../store/open-store.ts';

export interface Removed {
  readonly records: number;
  /** Grants that could read it. */
  readonly grants: number;
}

/**
 * Removes connections with all they hold. Apps lose sight of them first; then the data goes, in pieces; at the end no
 * word of it is left in any file. Interrupted, it is done again with the same call.
 */
export async function removeConnections(
  store: Store,
  connectionIds: readonly string[],
  now: Date,
  onProgress: (erased: number) => void = () => {},
): Promise<Removed> {
  const present = await store.write.db.selectFrom('connections').select('connection_id').execute();
  for (const id of connectionIds)
    if (!present.some(({ connection_id }) => connection_id === id)) throw noConnection();
  const writeEvent = createEventLog(store.audit);
  let grants = 0;
  for (const id of connectionIds) grants += await endConnectionEverywhere(store.write, writeEvent, id, now);
  let records = 0;
  for (const id of connectionIds) {
    const streams = await store.write.db
      .selectFrom('streams')
      .select('stream_id')
      .where('connection_id', '=', id)
      .execute();
    const streamIds = streams.map(({ stream_id }) => stream_id);
    const before = records;
    records += await eraseStreams(store.write, streamIds, (erased) => onProgress(before + erased));
    await dropConnection(store.write, id);
    await writeEvent({ kind: 'connection_removed', detail: id }, now);
  }
  if (connectionIds.length > 0) await eraseTraces(store.write);
  return { records, grants };
}
