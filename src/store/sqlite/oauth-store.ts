import type { OAuthStore } from '../oauth-store.ts';
import type { Queries } from './sqlite.ts';
import type { Tables } from './tables.ts';

export function createOAuthStore(db: Queries<Tables>): OAuthStore {
  const updateItem = (kind: string, idHash: string) =>
    db.updateTable('oauth_items').where('kind', '=', kind).where('id_hash', '=', idHash);
  const deleteItems = (kind: string) => db.deleteFrom('oauth_items').where('kind', '=', kind);

  return {
    async findItem(kind, key) {
      const [column, hash] =
        'idHash' in key
          ? (['id_hash', key.idHash] as const)
          : 'uidHash' in key
            ? (['uid_hash', key.uidHash] as const)
            : (['user_code_hash', key.userCodeHash] as const);
      const row = await db
        .selectFrom('oauth_items')
        .selectAll()
        .where('kind', '=', kind)
        .where(column, '=', hash)
        .executeTakeFirst();
      return (
        row && {
          idHash: row.id_hash,
          payload: row.payload,
          grantId: row.grant_id,
          createdAt: row.created_at,
          expiresAt: row.expires_at,
          consumedAt: row.consumed_at,
        }
      );
    },
    async saveItem({ kind, idHash, createdAt, userCodeHash, ...item }) {
      const row = {
        payload: item.payload,
        grant_id: item.grantId ?? null,
        uid_hash: item.uidHash ?? null,
        ...(userCodeHash === undefined ? {} : { user_code_hash: userCodeHash }),
        expires_at: item.expiresAt ?? null,
      };
      await db
        .insertInto('oauth_items')
        .values({ kind, id_hash: idHash, created_at: createdAt, consumed_at: null, ...row })
        .onConflict((conflict) => conflict.columns(['kind', 'id_hash']).doUpdateSet(row))
        .execute();
    },
    async consumeItem(kind, idHash, at) {
      const { numUpdatedRows } = await updateItem(kind, idHash)
        .set({ consumed_at: at })
        .where('consumed_at', 'is', null)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    async setConsumedAt(kind, idHash, at) {
      await updateItem(kind, idHash).set({ consumed_at: at }).execute();
    },
    async removeItemExpiry(kind, idHash) {
      await updateItem(kind, idHash).set({ expires_at: null }).execute();
    },
    async deleteItem(kind, idHash) {
      await deleteItems(kind).where('id_hash', '=', idHash).execute();
    },
    async deleteItemsOfGrant(kind, grantId) {
      await deleteItems(kind).where('grant_id', '=', grantId).execute();
    },
    async deleteItemsExpiredBefore(seconds) {
      await db.deleteFrom('oauth_items').where('expires_at', '<', seconds).execute();
    },
    async trimExpiringItems(kind, max) {
      const surplus = db
        .selectFrom('oauth_items')
        .select('id_hash')
        .where('kind', '=', kind)
        .where('expires_at', 'is not', null)
        .orderBy('created_at', 'desc')
        .offset(max)
        .limit(1_000_000);
      await deleteItems(kind).where('id_hash', 'in', surplus).execute();
    },
    async saveAccessToken(token) {
      const row = {
        kind: 'client',
        grant_id: token.grantId ?? null,
        created_at: token.createdAt.toISOString(),
        expires_at: token.expiresAt.toISOString(),
        resource: token.resource ?? null,
        payload: token.payload,
      };
      await db
        .insertInto('tokens')
        .values({ token_hash: token.tokenHash, ...row })
        .onConflict((conflict) => conflict.column('token_hash').doUpdateSet(row))
        .execute();
    },
    async findAccessTokenPayload(tokenHash) {
      const row = await db
        .selectFrom('tokens')
        .select('payload')
        .where('token_hash', '=', tokenHash)
        .executeTakeFirst();
      return row?.payload ?? undefined;
    },
    async deleteAccessToken(tokenHash) {
      await db
        .deleteFrom('tokens')
        .where('token_hash', '=', tokenHash)
        .where('payload', 'is not', null)
        .execute();
    },
    async deleteAccessTokensOfGrant(grantId) {
      await db.deleteFrom('tokens').where('grant_id', '=', grantId).execute();
    },
    async deleteAccessTokensExpiredBefore(time) {
      await db
        .deleteFrom('tokens')
        .where('payload', 'is not', null)
        .where('expires_at', '<', time.toISOString())
        .execute();
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
