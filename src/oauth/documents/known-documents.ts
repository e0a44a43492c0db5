import type { OAuthStore } from '../../store/oauth-store.ts';
import { nowSeconds } from '../lifetimes.ts';
import type { ClientDocument } from './check-document.ts';

const KIND = 'ClientDocument';

type Known = Pick<ClientDocument, 'client_id' | 'redirect_uris'> & { client_name?: string | undefined };

/**
 * Stores each client's document as it was last approved. It shows whether the client has changed, and keeps an app
 * connected while the host of its document is down.
 */
export interface KnownDocuments {
  remember(document: Known): Promise<void>;
  find(clientId: string): Promise<Known | undefined>;
}

export function createKnownDocuments(items: OAuthStore): KnownDocuments {
  return {
    remember: (document) =>
      items.saveItem({
        kind: KIND,
        idHash: document.client_id,
        payload: JSON.stringify(document),
        createdAt: nowSeconds(),
      }),
    async find(clientId) {
      const item = await items.findItem(KIND, { idHash: clientId });
      return item && (JSON.parse(item.payload) as Known);
    },
  };
}
