import { sql } from 'kysely';
import type { OAuthStore } from '../oauth-store.ts';
import { type Queries, run } from './sqlite.ts';
import type { Tables } from './tables.ts';

const itemColumns = [
  'id_hash as idHash',
  'payload',
  'grant_id as grantId',
  'created_at as createdAt',
  'expires_at as expiresAt',
  'consumed_at as consumedAt',
] as const;

export function createOAuthStore(db: Queries<Tables>): OAuthStore {
  const whereItem = (kind: string, idHash: string) => sql`kind = ${kind} and id_hash = ${idHash}`;
  return {
    findItem(kind, key) {
      const items = db.selectFrom('oauth_items').select(itemColumns).where('kind', '=', kind);
      const found =
        'idHash' in key
          ? items.where('id_hash', '=', key.idHash)
          : 'uidHash' in key
            ? items.where('uid_hash', '=', key.uidHash)
            : items.where('user_code_hash', '=', key.userCodeHash);
      return found.executeTakeFirst();
    },
    async saveItem({ kind, idHash, payload, grantId, uidHash, userCodeHash, createdAt, expiresAt }) {
      await run(
        db,
        sql`
        insert into oauth_items (kind, id_hash, payload, grant_id, uid_hash, user_code_hash, created_at, expires_at)
        values (${kind}, ${idHash}, ${payload}, ${grantId ?? null}, ${uidHash ?? null}, ${userCodeHash ?? null},
          ${createdAt}, ${expiresAt ?? null})
        on conflict do update set payload = excluded.payload, grant_id = excluded.grant_id,
          uid_hash = excluded.uid_hash, user_code_hash = coalesce(excluded.user_code_hash, user_code_hash),
          expires_at = excluded.expires_at`,
      );
    },
    async consumeItem(kind, idHash, at) {
      const consumed = sql`update oauth_items set consumed_at = ${at} where ${whereItem(kind, idHash)} and consumed_at is null`;
      return (await run(db, consumed)) === 1;
    },
    async setConsumedAt(kind, idHash, at) {
      await run(db, sql`update oauth_items set consumed_at = ${at} where ${whereItem(kind, idHash)}`);
    },
    async removeItemExpiry(kind, idHash) {
      await run(db, sql`update oauth_items set expires_at = null where ${whereItem(kind, idHash)}`);
    },
    async deleteItem(kind, idHash) {
      await run(db, sql`delete from oauth_items where ${whereItem(kind, idHash)}`);
    },
    async deleteItemsOfGrant(kind, grantId) {
      await run(db, sql`delete from oauth_items where kind = ${kind} and grant_id = ${grantId}`);
    },
    async deleteItemsExpiredBefore(seconds) {
      await run(db, sql`delete from oauth_items where expires_at < ${seconds}`);
    },
    async trimExpiringItems(kind, max) {
      await run(
        db,
        sql`delete from oauth_items where kind = ${kind} and id_hash in (
        select id_hash from oauth_items where kind = ${kind} and expires_at is not null
        order by created_at desc limit -1 offset ${max})`,
      );
    },
    async saveAccessToken({ tokenHash, grantId, createdAt, expiresAt, resource, payload }) {
      await run(
        db,
        sql`
        insert into tokens (token_hash, kind, grant_id, created_at, expires_at, resource, payload)
        values (${tokenHash}, 'client', ${grantId ?? null}, ${createdAt.toISOString()}, ${expiresAt.toISOString()},
          ${resource ?? null}, ${payload})
        on conflict do update set kind = excluded.kind, grant_id = excluded.grant_id, created_at = excluded.created_at,
          expires_at = excluded.expires_at, resource = excluded.resource, payload = excluded.payload`,
      );
    },
    async findAccessTokenPayload(tokenHash) {
      const token = db.selectFrom('tokens').select('payload').where('token_hash', '=', tokenHash);
      return (await token.executeTakeFirst())?.payload ?? undefined;
    },
    async deleteAccessToken(tokenHash) {
      await run(db, sql`delete from tokens where token_hash = ${tokenHash} and payload is not null`);
    },
    async deleteAccessTokensOfGrant(grantId) {
      await run(db, sql`delete from tokens where grant_id = ${grantId}`);
    },
    async deleteAccessTokensExpiredBefore(time) {
      await run(db, sql`delete from tokens where payload is not null and expires_at < ${time.toISOString()}`);
    },
    async isIssued(hash, kinds) {
      const items = db.selectFrom('oauth_items').select('id_hash').where('id_hash', '=', hash);
      const tokens = db.selectFrom('tokens').select('token_hash').where('token_hash', '=', hash);
      return (
        (await items.where('kind', 'in', kinds).executeTakeFirst()) !== undefined ||
        (await tokens.executeTakeFirst()) !== undefined
      );
    },
  };
}
