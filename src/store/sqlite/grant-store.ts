import type { Kysely } from 'kysely';
import type { AccessRow, GrantReads, GrantStore } from '../grant-store.ts';
import type { Queries } from './sqlite.ts';
import type { Tables } from './tables.ts';

const grantColumns = [
  'grants.grant_id',
  'client_name',
  'grants.created_at',
  'grants.expires_at',
  'revoked_at',
  'body',
  'client_id',
  'verified_host',
  'redirect_host',
  'ended_connections',
] as const;

type Db = Pick<Kysely<Tables>, 'selectFrom' | 'executeQuery'>;

export function createGrantReads(db: Db): GrantReads {
  // Compiled once and run with another hash each time: every request begins here.
  const access = db
    .selectFrom('tokens')
    .leftJoin('grants', 'grants.grant_id', 'tokens.grant_id')
    .select(['tokens.kind', 'tokens.expires_at as token_expires_at', 'tokens.resource', ...grantColumns])
    .where('token_hash', '=', '')
    .compile();
  return {
    async findAccess(tokenHash) {
      const { rows } = await db.executeQuery<AccessRow>({ ...access, parameters: [tokenHash] });
      return rows[0];
    },
    find: (grantId) =>
      db.selectFrom('grants').select(grantColumns).where('grant_id', '=', grantId).executeTakeFirst(),
    list: () => db.selectFrom('grants').select(grantColumns).orderBy('grants.created_at').execute(),
  };
}

export function createGrantStore(db: Queries<Tables>): GrantStore {
  const update = (grantId: string) => db.updateTable('grants').where('grant_id', '=', grantId);
  const end = (at: string) =>
    db
      .updateTable('grants')
      .set({ revoked_at: at })
      .where('revoked_at', 'is', null)
      .returning(['grant_id as grantId', 'client_id as clientId', 'client_name as clientName']);
  const setTokenExpiry = (grantId: string, expires_at: string | null) =>
    db
      .updateTable('tokens')
      .set({ expires_at })
      .where('grant_id', '=', grantId)
      .where('payload', 'is', null)
      .execute();

  return {
    ...createGrantReads(db),
    async add(grant) {
      await db.insertInto('grants').values(grant).execute();
    },
    async addToken({ tokenHash, kind, grantId, createdAt, expiresAt }) {
      await db
        .insertInto('tokens')
        .values({
          token_hash: tokenHash,
          kind,
          grant_id: grantId,
          created_at: createdAt,
          expires_at: expiresAt,
        })
        .execute();
    },
    async end(grantId, at) {
      const ended = await end(at).where('grant_id', '=', grantId).executeTakeFirst();
      return ended && { ...ended, clientId: ended.clientId ?? undefined };
    },
    async endAll(at) {
      const ended = await end(at).execute();
      return ended.map((grant) => ({ ...grant, clientId: grant.clientId ?? undefined }));
    },
    async setBody(grantId, body) {
      await update(grantId).set({ body }).execute();
    },
    async setEndedConnections(grantId, connectionIds) {
      const ended_connections = connectionIds.length === 0 ? null : JSON.stringify(connectionIds);
      await update(grantId).set({ ended_connections }).execute();
    },
    async setExpiry(grantId, expires_at) {
      const { numUpdatedRows } = await update(grantId)
        .set({ expires_at })
        .where('revoked_at', 'is', null)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      await setTokenExpiry(grantId, expires_at);
      return true;
    },
    async shortenExpiry(grantId, expires_at) {
      const { numUpdatedRows } = await update(grantId)
        .set({ expires_at })
        .where((grant) => grant.or([grant('expires_at', 'is', null), grant('expires_at', '>', expires_at)]))
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      await setTokenExpiry(grantId, expires_at);
      return true;
    },
    async deleteOwnerTokens(createdBefore) {
      let query = db.deleteFrom('tokens').where('kind', '=', 'owner');
      if (createdBefore !== undefined) query = query.where('created_at', '<', createdBefore);
      return Number((await query.executeTakeFirst()).numDeletedRows);
    },
    async deleteIssued() {
      await db.deleteFrom('tokens').execute();
      await db.deleteFrom('oauth_items').where('kind', 'not in', ['Client', 'Grant']).execute();
    },
  };
}
