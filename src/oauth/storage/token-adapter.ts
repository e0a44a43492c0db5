import type { Adapter, AdapterPayload } from 'oidc-provider';
import { hashToken } from '../../secrets/token.ts';
import type { WriteStore } from '../../store/open-store.ts';

/**
 * Access tokens live in the table that the bearer gate reads, so that a call is let in by one look-up and the
 * authorization server never has a second opinion.
 */
export function createTokenAdapter({ db }: WriteStore): Adapter {
  const none = async () => undefined;
  return {
    async upsert(id, payload) {
      const { jti: _secret, ...rest } = payload;
      const row = {
        kind: 'client',
        grant_id: payload.grantId ?? null,
        created_at: toIso(payload.iat),
        expires_at: toIso(payload.exp),
        resource: [payload.aud].flat()[0] ?? null,
        payload: JSON.stringify(rest),
      };
      await db
        .insertInto('tokens')
        .values({ token_hash: hashToken(id), ...row })
        .onConflict((conflict) => conflict.column('token_hash').doUpdateSet(row))
        .execute();
    },
    async find(id) {
      const row = await db
        .selectFrom('tokens')
        .select('payload')
        .where('token_hash', '=', hashToken(id))
        .executeTakeFirst();
      if (row?.payload == null) return undefined;
      return { ...(JSON.parse(row.payload) as AdapterPayload), jti: id };
    },
    async destroy(id) {
      await db
        .deleteFrom('tokens')
        .where('token_hash', '=', hashToken(id))
        .where('payload', 'is not', null)
        .execute();
    },
    async revokeByGrantId(grantId) {
      await db.deleteFrom('tokens').where('grant_id', '=', grantId).execute();
    },
    async consume() {},
    findByUid: none,
    findByUserCode: none,
  };
}

function toIso(seconds: number | undefined): string {
  return new Date((seconds ?? 0) * 1_000).toISOString();
}
