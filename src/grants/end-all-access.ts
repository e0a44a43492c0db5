import type Database from 'better-sqlite3';
import type { WriteStore } from '../store/open-store.ts';

export interface AllEnded {
  readonly grants: readonly { grantId: string; clientId: string | undefined; clientName: string }[];
  readonly ownerTokens: number;
  readonly sessions: number;
}

/**
 * Ends everything that lets anybody in: every grant with what was issued under it, owner tokens, signed-in browsers,
 * sign-ins and set-up links under way. Data, registrations and the passphrase stay.
 */
export async function endAllAccess(store: WriteStore, now: Date): Promise<AllEnded> {
  return store.transactAtOnce((raw) => endAll(raw, now));
}

function endAll(raw: Database.Database, now: Date): AllEnded {
  const grants = raw
    .prepare(
      `update grants set revoked_at = ? where revoked_at is null
       returning grant_id as grantId, client_id as clientId, client_name as clientName`,
    )
    .all(now.toISOString()) as { grantId: string; clientId: string | null; clientName: string }[];
  const ownerTokens = raw.prepare(`delete from tokens where kind = 'owner'`).run().changes;
  raw.exec(`delete from tokens; delete from oauth_items where kind not in ('Client', 'Grant')`);
  raw.exec('delete from setup_links where used_at is null');
  const sessions = raw.prepare('delete from sessions').run().changes;
  return {
    grants: grants.map((grant) => ({ ...grant, clientId: grant.clientId ?? undefined })),
    ownerTokens,
    sessions,
  };
}
