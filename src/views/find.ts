import { isLive } from '../grants/grant.ts';
import { listGrants } from '../grants/grant-store.ts';
import { loadCatalog } from '../schema-index/catalog.ts';
import type { ReadStore } from '../store/store.ts';
import { nameConnection, nameStream } from './describe-access.ts';
import { nameApps } from './name-apps.ts';

/** The connections, streams and apps that quick find lists. */
export interface StoredNames {
  readonly connections: readonly { connection_id: string; name: string }[];
  readonly streams: readonly { connection_id: string; stream: string; name: string; connection: string }[];
  readonly apps: ReturnType<typeof nameApps>;
}

/** Lists the names that quick find searches. */
export async function listNames(store: ReadStore, now: Date): Promise<StoredNames> {
  const catalog = await loadCatalog(store);
  const live = (await listGrants(store)).filter((grant) => isLive(grant, now));
  return {
    connections: catalog.connections.map(({ connection_id }) => ({
      connection_id,
      name: nameConnection(catalog, connection_id),
    })),
    streams: catalog.streams.map((stream) => ({
      connection_id: stream.connection.connection_id,
      stream: stream.name,
      name: nameStream(stream, stream.name),
      connection: nameConnection(catalog, stream.connection.connection_id),
    })),
    apps: nameApps(live, catalog.timeZone),
  };
}
