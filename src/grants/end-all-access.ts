import type { WriteStore } from '../store/sqlite/open-store.ts';

export interface AllEnded {
  readonly grants: readonly { grantId: string; clientId: string | undefined; clientName: string }[];
  readonly ownerTokens: number;
  readonly sessions: number;
}

/**
 * Ends everything that lets anybody in: every grant with what was issued under it, owner tokens, signed-in browsers,
 * sign-ins and set-up links under way. Data, registrations and the passphrase stay.
 */
export function endAllAccess(store: WriteStore, now: Date): Promise<AllEnded> {
  const { db } = store;
  return store.transact(async () => {
    const grants = await db
      .updateTable('grants')
      .set({ revoked_at: now.toISOString() })
      .where('revoked_at', 'is', null)
      .returning(['grant_id as grantId', 'client_id as clientId', 'client_name as clientName'])
      .execute();
    const owners = await db.deleteFrom('tokens').where('kind', '=', 'owner').executeTakeFirstOrThrow();
    await db.deleteFrom('tokens').execute();
    await db.deleteFrom('oauth_items').where('kind', 'not in', ['Client', 'Grant']).execute();
    await db.deleteFrom('setup_links').where('used_at', 'is', null).execute();
    const sessions = await db.deleteFrom('sessions').executeTakeFirstOrThrow();
    return {
      grants: grants.map((grant) => ({ ...grant, clientId: grant.clientId ?? undefined })),
      ownerTokens: Number(owners.numDeletedRows),
      sessions: Number(sessions.numDeletedRows),
    };
  });
}
