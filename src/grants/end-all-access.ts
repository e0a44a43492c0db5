import type { EndedGrant } from '../store/grant-store.ts';
import type { WriteStore } from '../store/store.ts';

export interface AllEnded {
  readonly grants: readonly EndedGrant[];
  readonly ownerTokens: number;
  readonly sessions: number;
}

/**
 * Ends everything that lets anybody in: every grant with what was issued under it, owner tokens, signed-in browsers,
 * sign-ins and set-up links under way. Data, registrations and the passphrase stay.
 */
export function endAllAccess(store: WriteStore, now: Date): Promise<AllEnded> {
  return store.transact(async () => {
    const grants = await store.grants.endAll(now.toISOString());
    const ownerTokens = await store.grants.deleteOwnerTokens();
    await store.grants.deleteIssued();
    await store.owner.deleteUnusedLinks();
    return { grants, ownerTokens, sessions: await store.owner.deleteAllSessions() };
  });
}
