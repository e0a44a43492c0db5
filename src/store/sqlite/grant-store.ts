import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { EndedGrant, GrantReads, GrantStore } from '../grant-store.ts';
import { createAccessRead, grantColumns } from './request-reads.ts';
import { type Queries, run } from './sqlite.ts';
import type { Tables } from './tables.ts';

type Db = Pick<Kysely<Tables>, 'selectFrom' | 'executeQuery'>;

export function createGrantReads(db: Db): GrantReads {
  return {
    findAccess: createAccessRead(db),
    find: (grantId) =>
      db.selectFrom('grants').select(grantColumns).where('grant_id', '=', grantId).executeTakeFirst(),
    list: () =>
      db
        .selectFrom('grants')
        .select(grantColumns)
        .orderBy('grants.created_at')
        .orderBy('grants.grant_id')
        .execute(),
  };
}

export function createGrantStore(db: Queries<Tables>): GrantStore {
  const end = async (at: string, which: RawBuilder<boolean>): Promise<EndedGrant[]> => {
    const { rows } = await sql<EndedGrant & { clientId: string | null }>`
      update grants set revoked_at = ${at} where revoked_at is null and ${which}
      returning grant_id as "grantId", client_id as "clientId", client_name as "clientName"`.execute(db);
    return rows.map((grant) => ({ ...grant, clientId: grant.clientId ?? undefined }));
  };
  /** Also changes the command-line token, which lasts as long as its grant. */
  const setExpiry = async (grantId: string, at: string | null, which: RawBuilder<boolean>) => {
    const found = await run(
      db,
      sql`update grants set expires_at = ${at} where grant_id = ${grantId} and ${which}`,
    );
    if (found === 0) return false;
    await run(db, sql`update tokens set expires_at = ${at} where grant_id = ${grantId} and payload is null`);
    return true;
  };
  return {
    ...createGrantReads(db),
    async add(grant) {
      await db.insertInto('grants').values(grant).execute();
    },
    async addToken({ tokenHash, kind, grantId, createdAt, expiresAt }) {
      await run(
        db,
        sql`insert into tokens (token_hash, kind, grant_id, created_at, expires_at)
        values (${tokenHash}, ${kind}, ${grantId}, ${createdAt}, ${expiresAt})`,
      );
    },
    end: async (grantId, at) => (await end(at, sql`grant_id = ${grantId}`))[0],
    endAll: (at) => end(at, sql`true`),
    async setBody(grantId, body) {
      await run(db, sql`update grants set body = ${body} where grant_id = ${grantId}`);
    },
    async setEndedConnections(grantId, connectionIds) {
      const ended = connectionIds.length === 0 ? null : JSON.stringify(connectionIds);
      await run(db, sql`update grants set ended_connections = ${ended} where grant_id = ${grantId}`);
    },
    setExpiry: (grantId, at) => setExpiry(grantId, at, sql`revoked_at is null`),
    shortenExpiry: (grantId, at) => setExpiry(grantId, at, sql`(expires_at is null or expires_at > ${at})`),
    deleteOwnerTokens: (createdBefore) =>
      run(
        db,
        sql`delete from tokens where kind = 'owner' and ${createdBefore === undefined ? sql`true` : sql`created_at < ${createdBefore}`}`,
      ),
    async deleteIssued() {
      await run(db, sql`delete from tokens`);
      await run(db, sql`delete from oauth_items where kind not in ('Client', 'Grant')`);
    },
  };
}
