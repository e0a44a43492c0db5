import type { Adapter } from 'oidc-provider';
import type { WriteStore } from '../../store/open-store.ts';
import { UNUSED_CLIENT_SECONDS } from '../lifetimes.ts';
import { makeRoomForClient } from './clean-up.ts';
import type { ItemIds } from './item-id.ts';

/** Registrations. Until one leads to an access it is only borrowed room; after that it stays. */
export function createClientAdapter(items: Adapter, store: WriteStore): Adapter {
  return {
    ...items,
    async upsert(id, payload) {
      await makeRoomForClient(store);
      await items.upsert(id, payload, UNUSED_CLIENT_SECONDS);
    },
  };
}

export async function keepClient({ db }: WriteStore, ids: ItemIds, clientId: string): Promise<void> {
  await db
    .updateTable('oauth_items')
    .set({ expires_at: null })
    .where('kind', '=', 'Client')
    .where('id_hash', '=', ids.toHash(clientId))
    .execute();
}
