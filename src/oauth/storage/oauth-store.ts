import type { ReadStore, WriteStore } from '../../store/sqlite/open-store.ts';

/** What the authorization server remembers, filed under a kind and a hash. Times are seconds since 1970. */
export interface StoredItem {
  readonly idHash: string;
  /** JSON, without the id itself. */
  readonly payload: string;
  readonly grantId: string | null;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly consumedAt: number | null;
}

export type ItemKey =
  | { readonly idHash: string }
  | { readonly uidHash: string }
  | { readonly userCodeHash: string };

export interface NewItem {
  readonly kind: string;
  readonly idHash: string;
  readonly payload: string;
  readonly grantId?: string | undefined;
  readonly uidHash?: string | undefined;
  /** An item that exists keeps the one it has where this is undefined. */
  readonly userCodeHash?: string | undefined;
  readonly createdAt: number;
  readonly expiresAt?: number | undefined;
}

export interface NewAccessToken {
  readonly tokenHash: string;
  readonly grantId: string | undefined;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly resource: string | undefined;
  readonly payload: string;
}

/** Storage of the authorization server: its items, and the access tokens that every call is checked against. */
export interface OAuthStore {
  findItem(kind: string, key: ItemKey): Promise<StoredItem | undefined>;
  /** Adds an item, or replaces all of it but the times of its creation and use. */
  saveItem(item: NewItem): Promise<void>;
  /** Marks an item as used. Returns false if it was used before or does not exist. */
  consumeItem(kind: string, idHash: string, at: number): Promise<boolean>;
  setConsumedAt(kind: string, idHash: string, at: number): Promise<void>;
  /** Keeps an item for good. */
  removeItemExpiry(kind: string, idHash: string): Promise<void>;
  deleteItem(kind: string, idHash: string): Promise<void>;
  deleteItemsOfGrant(kind: string, grantId: string): Promise<void>;
  deleteItemsExpiredBefore(seconds: number): Promise<void>;
  /** Deletes the oldest items of a kind that expire, until at most `max` are left. */
  trimExpiringItems(kind: string, max: number): Promise<void>;
  saveAccessToken(token: NewAccessToken): Promise<void>;
  findAccessTokenPayload(tokenHash: string): Promise<string | undefined>;
  deleteAccessToken(tokenHash: string): Promise<void>;
  deleteAccessTokensOfGrant(grantId: string): Promise<void>;
  deleteAccessTokensExpiredBefore(time: Date): Promise<void>;
  /** Whether a hash is that of a token of any kind, or of an item of one of these kinds. */
  isIssued(hash: string, kinds: readonly string[]): Promise<boolean>;
}

export function createOAuthStore({ db }: WriteStore): OAuthStore {
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

/** The declaration of each source, as JSON. */
export async function readDeclarations({
  db,
}: ReadStore): Promise<{ connectorKey: string; declaration: string }[]> {
  return db.selectFrom('sources').select(['connector_key as connectorKey', 'declaration']).execute();
}
