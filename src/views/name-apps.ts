import { type Grant, isLive } from '../grants/grant.ts';
import { listGrants } from '../grants/grant-store.ts';
import { loadCatalog } from '../schema-index/catalog.ts';
import type { ReadStore } from '../store/store.ts';
import { escapeText } from '../text/escape-text.ts';
import { toLocal } from '../time/instant.ts';
import { nameConnection, nameStream } from './describe-access.ts';

/** Returns the names of apps for a list. Adds the day of approval if several have the same name. */
export function nameApps(
  grants: readonly Grant[],
  timeZone: string,
): { readonly grant_id: string; readonly client: string }[] {
  return grants.map(({ grantId, clientName, createdAt }) => {
    const isTwice = grants.some((other) => other.clientName === clientName && other.grantId !== grantId);
    const day = new Date(toLocal(Date.parse(createdAt), timeZone)).toISOString().slice(0, 10);
    const client = escapeText(clientName);
    return { grant_id: grantId, client: isTwice ? `${client} (since ${day})` : client };
  });
}

/** Lists the grants that have not ended. */
export async function listLiveGrants(store: ReadStore, now: Date): Promise<Grant[]> {
  return (await listGrants(store)).filter((grant) => isLive(grant, now));
}

/** Apps that cannot yet read all of a connection. */
export interface MissingAccess {
  readonly connection_id: string;
  readonly name: string;
  readonly apps: ReturnType<typeof nameApps>;
}

/** Lists, per connection, the apps that cannot read all of its non-empty streams. */
export async function listMissingAccess(
  store: ReadStore,
  connectionIds: readonly string[],
  now: Date,
): Promise<MissingAccess[]> {
  const catalog = await loadCatalog(store);
  const live = await listLiveGrants(store, now);
  const named = nameApps(live, catalog.timeZone);
  const spans = await store.stored.spans();
  return [...new Set(connectionIds)].flatMap((connection_id) => {
    const stored = catalog.streams.filter(
      (stream) =>
        stream.connection.connection_id === connection_id && (spans.get(stream.streamId)?.records ?? 0) > 0,
    );
    const reads = (grant: Grant, name: string) =>
      grant.streams.some((terms) => terms.connection_id === connection_id && terms.stream === name);
    const apps = named.filter((_, index) => {
      const grant = live[index];
      return grant !== undefined && stored.some(({ name }) => !reads(grant, name));
    });
    return apps.length === 0 ? [] : [{ connection_id, name: nameConnection(catalog, connection_id), apps }];
  });
}

/** Lists the apps that can read a connection. */
export async function listReaders(
  store: ReadStore,
  connectionId: string,
  now: Date,
): Promise<ReturnType<typeof nameApps>> {
  const { timeZone } = await loadCatalog(store);
  const live = await listLiveGrants(store, now);
  return nameApps(
    live.filter(({ streams }) => streams.some(({ connection_id }) => connection_id === connectionId)),
    timeZone,
  );
}

/** The connections, streams and apps that quick find lists. */
export interface StoredNames {
  readonly connections: readonly { connection_id: string; name: string }[];
  readonly streams: readonly { connection_id: string; stream: string; name: string; connection: string }[];
  readonly apps: ReturnType<typeof nameApps>;
}

/** Lists the names that quick find searches. */
export async function listNames(store: ReadStore, now: Date): Promise<StoredNames> {
  const catalog = await loadCatalog(store);
  const live = await listLiveGrants(store, now);
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
