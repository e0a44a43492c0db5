import type { WriteEvent } from '../audit/events.ts';
import type { WriteStore } from '../store/store.ts';
import { endConnection, getGrant } from './grant-store.ts';

/**
 * Removes a connection from every grant that names it, before its data is erased. Otherwise a later connection with the
 * same id would inherit access that the owner has not approved.
 */
export async function endConnectionEverywhere(
  store: WriteStore,
  writeEvent: WriteEvent,
  connectionId: string,
  now: Date,
): Promise<number> {
  const rows = await store.grants.list();
  let count = 0;
  for (const { grant_id: grantId } of rows) {
    const grant = await getGrant(store, grantId);
    const named = grant.streams.some((stream) => stream.connection_id === connectionId);
    if (!named || grant.endedConnections.includes(connectionId)) continue;
    await endConnection(store, grantId, connectionId);
    const { clientName: client, clientId } = grant;
    await writeEvent({ kind: 'connection_ended', client, clientId, grantId, detail: connectionId }, now);
    count += 1;
  }
  return count;
}
