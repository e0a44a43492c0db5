import type { ItemKey, OAuthStore, StoredItem } from '../oauth-store.ts';
import type { PostgresDatabase } from './database.ts';
import { type Sql, sql } from './sql.ts';

const itemColumns = sql`id_hash as "idHash", payload, grant_id as "grantId", created_at as "createdAt",
  expires_at as "expiresAt", consumed_at as "consumedAt"`;

export function createOAuthStore(db: PostgresDatabase): OAuthStore {
  const { ownerId } = db;
  const change = async (statement: Sql) => {
    await db.run(statement);
  };
  const whereItem = (kind: string, idHash: string) =>
    sql`owner_id = ${ownerId} and kind = ${kind} and id_hash = ${idHash}`;
  return {
    async findItem(kind, key) {
      const [row] = await db.query<StoredItem>(
        sql`select ${itemColumns} from oauth_items where owner_id = ${ownerId} and kind = ${kind} and ${whereKey(key)}`,
      );
      return row;
    },
    saveItem: ({ kind, idHash, payload, grantId, uidHash, userCodeHash, createdAt, expiresAt }) =>
      change(sql`
        insert into oauth_items
          (owner_id, kind, id_hash, payload, grant_id, uid_hash, user_code_hash, created_at, expires_at)
        values (${ownerId}, ${kind}, ${idHash}, ${payload}, ${grantId ?? null}, ${uidHash ?? null},
          ${userCodeHash ?? null}, ${createdAt}, ${expiresAt ?? null})
        on conflict (owner_id, kind, id_hash) do update set payload = excluded.payload,
          grant_id = excluded.grant_id, uid_hash = excluded.uid_hash,
          user_code_hash = coalesce(excluded.user_code_hash, oauth_items.user_code_hash),
          expires_at = excluded.expires_at`),
    async consumeItem(kind, idHash, at) {
      const consumed = await db.run(
        sql`update oauth_items set consumed_at = ${at} where ${whereItem(kind, idHash)} and consumed_at is null`,
      );
      return consumed === 1;
    },
    setConsumedAt: (kind, idHash, at) =>
      change(sql`update oauth_items set consumed_at = ${at} where ${whereItem(kind, idHash)}`),
    removeItemExpiry: (kind, idHash) =>
      change(sql`update oauth_items set expires_at = null where ${whereItem(kind, idHash)}`),
    deleteItem: (kind, idHash) => change(sql`delete from oauth_items where ${whereItem(kind, idHash)}`),
    deleteItemsOfGrant: (kind, grantId) =>
      change(sql`delete from oauth_items
        where owner_id = ${ownerId} and kind = ${kind} and grant_id = ${grantId}`),
    deleteItemsExpiredBefore: (seconds) =>
      change(sql`delete from oauth_items where owner_id = ${ownerId} and expires_at < ${seconds}`),
    trimExpiringItems: (kind, max) =>
      change(sql`delete from oauth_items where owner_id = ${ownerId} and kind = ${kind} and id_hash in (
        select id_hash from oauth_items
        where owner_id = ${ownerId} and kind = ${kind} and expires_at is not null
        order by created_at desc, id_hash offset ${max})`),
    saveAccessToken: ({ tokenHash, grantId, createdAt, expiresAt, resource, payload }) =>
      change(sql`
        insert into tokens (owner_id, token_hash, kind, grant_id, created_at, expires_at, resource, payload)
        values (${ownerId}, ${tokenHash}, 'client', ${grantId ?? null}, ${createdAt.toISOString()},
          ${expiresAt.toISOString()}, ${resource ?? null}, ${payload})
        on conflict (owner_id, token_hash) do update set kind = excluded.kind, grant_id = excluded.grant_id,
          created_at = excluded.created_at, expires_at = excluded.expires_at, resource = excluded.resource,
          payload = excluded.payload`),
    async findAccessTokenPayload(tokenHash) {
      const [row] = await db.query<{ payload: string | null }>(
        sql`select payload from tokens where owner_id = ${ownerId} and token_hash = ${tokenHash}`,
      );
      return row?.payload ?? undefined;
    },
    deleteAccessToken: (tokenHash) =>
      change(sql`delete from tokens
        where owner_id = ${ownerId} and token_hash = ${tokenHash} and payload is not null`),
    deleteAccessTokensOfGrant: (grantId) =>
      change(sql`delete from tokens where owner_id = ${ownerId} and grant_id = ${grantId}`),
    deleteAccessTokensExpiredBefore: (time) =>
      change(sql`delete from tokens
        where owner_id = ${ownerId} and payload is not null and expires_at < ${time.toISOString()}`),
    async isIssued(hash, kinds) {
      const found = await db.query(sql`
        select 1 from oauth_items where owner_id = ${ownerId} and kind = any(${kinds}) and id_hash = ${hash}
        union all select 1 from tokens where owner_id = ${ownerId} and token_hash = ${hash}`);
      return found.length > 0;
    },
  };
}

function whereKey(key: ItemKey): Sql {
  if ('idHash' in key) return sql`id_hash = ${key.idHash}`;
  return 'uidHash' in key ? sql`uid_hash = ${key.uidHash}` : sql`user_code_hash = ${key.userCodeHash}`;
}
