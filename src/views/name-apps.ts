import { type Grant, isLive } from '../grants/grant.ts';
import { listGrants } from '../grants/grant-store.ts';
import { loadCatalog } from '../schema-index/catalog.ts';
import type { ReadStore } from '../store/open-store.ts';
import { escapeText } from '../text/escape-text.ts';
import { toLocal } from '../time/instant.ts';

/** What to call each approval in a list to choose from: with its day, where the same app was approved twice. */
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

/** Apps that may read something of a connection now. */
export async function listReaders(
  store: ReadStore,
  connectionId: string,
  now: Date,
): Promise<ReturnType<typeof nameApps>> {
  const { timeZone } = await loadCatalog(store);
  const live = (await listGrants(store)).filter((grant) => isLive(grant, now));
  return nameApps(
    live.filter(({ streams }) => streams.some(({ connection_id }) => connection_id === connectionId)),
    timeZone,
  );
}
