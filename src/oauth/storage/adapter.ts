import type { Adapter, AdapterPayload } from 'oidc-provider';
import { hashToken } from '../../secrets/token.ts';
import type { WriteStore } from '../../store/open-store.ts';
import { errors } from '../library.ts';
import { nowSeconds, REFRESH_GRACE_SECONDS } from '../lifetimes.ts';
import type { ItemIds } from './item-id.ts';

export interface AdapterDeps {
  readonly store: WriteStore;
  readonly ids: ItemIds;
  /** Ends the grant behind something that was used twice. */
  readonly endGrant: (grantId: string) => Promise<void>;
}

/** Kinds that work once. The first to take one has it; whoever comes second ends what the first obtained. */
const ONCE = new Set(['AuthorizationCode', 'DeviceCode', 'PushedAuthorizationRequest']);

/** Keeps what the authorization server has to remember, filed under hashes. */
export function createItemAdapter(kind: string, { store, ids, endGrant }: AdapterDeps): Adapter {
  const { db } = store;
  const rows = () => db.selectFrom('oauth_items').selectAll().where('kind', '=', kind);
  type Row = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number];

  const open = (row: Row | undefined, id?: string): AdapterPayload | undefined => {
    if (row === undefined) return undefined;
    const payload = JSON.parse(row.payload) as AdapterPayload;
    if (kind !== 'Client') payload.jti = id ?? ids.toReference(row.id_hash);
    if (payload.returnTo !== undefined) payload.returnTo += payload.jti;
    if (row.consumed_at !== null && !isInGrace(kind, row.consumed_at)) payload.consumed = row.consumed_at;
    return payload;
  };

  /** Superseded in the future, by a clock that was wrong: the grace begins now, and is no longer than any other. */
  const putRight = async (row: Row | undefined): Promise<Row | undefined> => {
    const now = nowSeconds();
    if (row === undefined || row.consumed_at === null || row.consumed_at <= now) return row;
    await db
      .updateTable('oauth_items')
      .set({ consumed_at: now })
      .where('kind', '=', kind)
      .where('id_hash', '=', row.id_hash)
      .execute();
    return { ...row, consumed_at: now };
  };

  return {
    async upsert(id, payload, expiresIn) {
      const { jti: _secret, consumed: _stored, userCode, ...rest } = withoutSecrets(id, payload, ids);
      const row = {
        payload: JSON.stringify(rest),
        grant_id: payload.grantId ?? null,
        uid_hash: payload.uid === undefined ? null : hashToken(payload.uid),
        // Not in what is read back, so a second time it is as it was.
        ...(userCode === undefined ? {} : { user_code_hash: hashToken(userCode) }),
        expires_at: expiresIn === undefined ? null : nowSeconds() + expiresIn,
      };
      await db
        .insertInto('oauth_items')
        .values({ kind, id_hash: ids.toHash(id), created_at: nowSeconds(), consumed_at: null, ...row })
        .onConflict((conflict) => conflict.columns(['kind', 'id_hash']).doUpdateSet(row))
        .execute();
    },
    async find(id) {
      const row = await rows().where('id_hash', '=', ids.toHash(id)).executeTakeFirst();
      // The library looks itself when anything else runs out or its grant has ended, and answers accordingly.
      if (kind === 'Client' && row?.expires_at != null && row.expires_at <= nowSeconds()) return undefined;
      return open(await putRight(row), id);
    },
    async findByUid(uid) {
      return open(await rows().where('uid_hash', '=', hashToken(uid)).executeTakeFirst());
    },
    async findByUserCode(userCode) {
      const found = open(await rows().where('user_code_hash', '=', hashToken(userCode)).executeTakeFirst());
      return found && { ...found, userCode };
    },
    async consume(id) {
      const { numUpdatedRows } = await db
        .updateTable('oauth_items')
        .set({ consumed_at: nowSeconds() })
        .where('kind', '=', kind)
        .where('id_hash', '=', ids.toHash(id))
        .where('consumed_at', 'is', null)
        .executeTakeFirst();
      if (numUpdatedRows === 1n || !ONCE.has(kind)) return;
      const row = await rows().where('id_hash', '=', ids.toHash(id)).executeTakeFirst();
      if (row?.grant_id != null) await endGrant(row.grant_id);
      throw new errors.InvalidGrant('already used');
    },
    async destroy(id) {
      await db
        .deleteFrom('oauth_items')
        .where('kind', '=', kind)
        .where('id_hash', '=', ids.toHash(id))
        .execute();
    },
    async revokeByGrantId(grantId) {
      await db.deleteFrom('oauth_items').where('kind', '=', kind).where('grant_id', '=', grantId).execute();
    },
  };
}

/** Real clients run several processes on one stored token, so a superseded one still works for a while. */
function isInGrace(kind: string, consumedAt: number): boolean {
  return kind === 'RefreshToken' && nowSeconds() - consumedAt < REFRESH_GRACE_SECONDS;
}

/**
 * One item may name another by its secret: that becomes a reference, and a cookie's value is dropped. The
 * address to come back to ends in the item's own id, which is put there again when it is read.
 */
function withoutSecrets(id: string, payload: AdapterPayload, ids: ItemIds): AdapterPayload {
  const { session, parJti, deviceCode, returnTo, ...rest } = payload;
  const refer = (id: string) => ids.toReference(ids.toHash(id));
  return {
    ...rest,
    ...(session === undefined ? {} : { session: { ...session, cookie: '' } }),
    ...(returnTo === undefined ? {} : { returnTo: returnTo.slice(0, -id.length) }),
    ...(parJti === undefined ? {} : { parJti: refer(parJti) }),
    ...(deviceCode === undefined ? {} : { deviceCode: refer(deviceCode) }),
  };
}
