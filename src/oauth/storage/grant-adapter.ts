import type { Adapter, AdapterPayload } from 'oidc-provider';
import { findLiveGrant } from '../../grants/grant-store.ts';
import type { AdapterDeps } from './adapter.ts';

const NEVER = Math.floor(Date.UTC(9999, 0) / 1_000);

/**
 * The authorization server's grants are ours: the same id, the same end. What it adds (scopes) is kept as
 * an item beside the row; whether the grant still counts is always read from the row itself.
 */
export function createGrantAdapter(items: Adapter, { store, endGrant }: AdapterDeps): Adapter {
  return {
    ...items,
    // Kept for as long as the row may count: the library's own limit would end it in the middle of a long grant.
    upsert: (id, payload) => items.upsert(id, payload),
    async find(id) {
      const payload = await items.find(id);
      const grant = payload && (await findLiveGrant(store, id, new Date()));
      if (!payload || grant === undefined) return undefined;
      const exp = grant.expiresAt === undefined ? NEVER : Math.floor(Date.parse(grant.expiresAt) / 1_000);
      return { ...payload, exp } satisfies AdapterPayload;
    },
    async destroy(id) {
      await endGrant(id);
      await items.destroy(id);
    },
  };
}
