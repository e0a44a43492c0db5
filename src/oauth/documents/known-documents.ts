import type { WriteStore } from '../../store/open-store.ts';
import { nowSeconds } from '../lifetimes.ts';
import type { ClientDocument } from './check-document.ts';

const KIND = 'ClientDocument';

type Known = Pick<ClientDocument, 'client_id' | 'redirect_uris'> & { client_name?: string | undefined };

/**
 * What was known of a client when it was last approved: to notice that it has changed, and to keep an approved
 * app connected while the host of its document is down.
 */
export interface KnownDocuments {
  remember(document: Known): Promise<void>;
  find(clientId: string): Promise<Known | undefined>;
}

export function createKnownDocuments({ db }: WriteStore): KnownDocuments {
  return {
    async remember(document) {
      const payload = JSON.stringify(document);
      await db
        .insertInto('oauth_items')
        .values({
          kind: KIND,
          id_hash: document.client_id,
          payload,
          created_at: nowSeconds(),
        })
        .onConflict((conflict) => conflict.columns(['kind', 'id_hash']).doUpdateSet({ payload }))
        .execute();
    },
    async find(clientId) {
      const row = await db
        .selectFrom('oauth_items')
        .select('payload')
        .where('kind', '=', KIND)
        .where('id_hash', '=', clientId)
        .executeTakeFirst();
      return row === undefined ? undefined : (JSON.parse(row.payload) as Known);
    },
  };
}
