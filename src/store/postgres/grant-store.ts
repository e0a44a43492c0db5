import type { AccessRow, EndedGrant, GrantReads, GrantRow, GrantStore } from '../grant-store.ts';
import type { PostgresDatabase } from './database.ts';
import { type Sql, sql } from './sql.ts';

const grantColumns = sql`g.grant_id, client_name, g.created_at, g.expires_at, revoked_at, body, client_id,
  verified_host, redirect_host, ended_connections`;

interface VersionsRow {
  readonly catalog: number | null;
  readonly horizon: number | null;
}

export function createGrantReads(db: PostgresDatabase): GrantReads {
  const { ownerId } = db;
  return {
    async findAccess(tokenHash) {
      const [row] = await db.query<AccessRow & VersionsRow>(sql`
        select t.kind, t.expires_at as token_expires_at, t.resource, ${grantColumns},
          (select value from counters where owner_id = ${ownerId} and name = 'catalog') as catalog,
          (select value from counters where owner_id = ${ownerId} and name = 'seq') as horizon
        from tokens t left join grants g on g.owner_id = t.owner_id and g.grant_id = t.grant_id
        where t.owner_id = ${ownerId} and t.token_hash = ${tokenHash}`);
      if (row === undefined) return undefined;
      const { catalog, horizon, ...access } = row;
      return catalog === null || horizon === null ? access : { ...access, versions: { catalog, horizon } };
    },
    async find(grantId) {
      const [row] = await db.query<GrantRow>(
        sql`select ${grantColumns} from grants g where owner_id = ${ownerId} and grant_id = ${grantId}`,
      );
      return row;
    },
    list: () =>
      db.query(
        sql`select ${grantColumns} from grants g where owner_id = ${ownerId} order by created_at, grant_id`,
      ),
  };
}

export function createGrantStore(db: PostgresDatabase): GrantStore {
  const { ownerId } = db;
  const end = async (at: string, which: Sql): Promise<EndedGrant[]> => {
    const rows = await db.query<EndedGrant & { clientId: string | null }>(sql`
      update grants set revoked_at = ${at} where owner_id = ${ownerId} and revoked_at is null and ${which}
      returning grant_id as "grantId", client_id as "clientId", client_name as "clientName"`);
    return rows.map((grant) => ({ ...grant, clientId: grant.clientId ?? undefined }));
  };
  /** Also changes the command-line token, which lasts as long as its grant. */
  const setExpiry = (grantId: string, at: string | null, which: Sql) =>
    db.transact(async (queries) => {
      const found = await queries.run(sql`
        update grants set expires_at = ${at} where owner_id = ${ownerId} and grant_id = ${grantId} and ${which}`);
      if (found === 0) return false;
      await queries.run(sql`update tokens set expires_at = ${at}
        where owner_id = ${ownerId} and grant_id = ${grantId} and payload is null`);
      return true;
    });
  return {
    ...createGrantReads(db),
    async add(grant) {
      await db.run(sql`
        insert into grants (owner_id, grant_id, client_name, created_at, expires_at, revoked_at, body, client_id,
          verified_host, redirect_host, ended_connections)
        values (${ownerId}, ${grant.grant_id}, ${grant.client_name}, ${grant.created_at}, ${grant.expires_at},
          ${grant.revoked_at}, ${grant.body}, ${grant.client_id}, ${grant.verified_host}, ${grant.redirect_host},
          ${grant.ended_connections})`);
    },
    async addToken({ tokenHash, kind, grantId, createdAt, expiresAt }) {
      await db.run(sql`insert into tokens (owner_id, token_hash, kind, grant_id, created_at, expires_at)
        values (${ownerId}, ${tokenHash}, ${kind}, ${grantId}, ${createdAt}, ${expiresAt})`);
    },
    end: async (grantId, at) => (await end(at, sql`grant_id = ${grantId}`))[0],
    endAll: (at) => end(at, sql`true`),
    async setBody(grantId, body) {
      await db.run(
        sql`update grants set body = ${body} where owner_id = ${ownerId} and grant_id = ${grantId}`,
      );
    },
    async setEndedConnections(grantId, connectionIds) {
      const ended = connectionIds.length === 0 ? null : JSON.stringify(connectionIds);
      await db.run(sql`update grants set ended_connections = ${ended}
        where owner_id = ${ownerId} and grant_id = ${grantId}`);
    },
    setExpiry: (grantId, at) => setExpiry(grantId, at, sql`revoked_at is null`),
    shortenExpiry: (grantId, at) => setExpiry(grantId, at, sql`(expires_at is null or expires_at > ${at})`),
    deleteOwnerTokens: (createdBefore) =>
      db.run(sql`delete from tokens where owner_id = ${ownerId} and kind = 'owner'
        and ${createdBefore === undefined ? sql`true` : sql`created_at < ${createdBefore}`}`),
    deleteIssued: () =>
      db.transact(async (queries) => {
        await queries.run(sql`delete from tokens where owner_id = ${ownerId}`);
        await queries.run(
          sql`delete from oauth_items where owner_id = ${ownerId} and kind not in ('Client', 'Grant')`,
        );
      }),
  };
}
