import type { Adapter, AdapterPayload } from 'oidc-provider';
import { findLiveGrant } from '../../grants/grant-store.ts';
import { hashToken } from '../../secrets/token.ts';
import type { OAuthStore, StoredItem } from '../../store/oauth-store.ts';
import type { WriteStore } from '../../store/store.ts';
import { DAY_MS, MINUTE_MS } from '../../time/durations.ts';
import { errors } from '../library.ts';
import { nowSeconds, REFRESH_GRACE_SECONDS, UNUSED_CLIENT_SECONDS } from '../lifetimes.ts';
import type { ItemIds } from './item-id.ts';
import type { Rotation } from './rotate-refresh.ts';

export interface AdapterDeps {
  readonly store: WriteStore;
  readonly ids: ItemIds;
  readonly rotation: Rotation;
  /** Ends the grant of a credential that was used twice. */
  readonly endGrant: (grantId: string) => Promise<void>;
}

/** Single-use kinds. A second use ends the grant that the first one obtained. */
const SINGLE_USE = new Set(['AuthorizationCode', 'DeviceCode', 'PushedAuthorizationRequest']);
const MAX_UNUSED_CLIENTS = 1_000;
const NEVER = Math.floor(Date.UTC(9999, 0) / 1_000);

/** Creates the storage of one kind of item of the authorization server. */
export function createAdapter(kind: string, deps: AdapterDeps): Adapter {
  if (kind === 'AccessToken') return createTokenAdapter(deps.store.oauth);
  const items = createItemAdapter(kind, deps);
  if (kind === 'Client') return createClientAdapter(items, deps.store.oauth);
  if (kind === 'RefreshToken') return deps.rotation.adapt(items);
  return kind === 'Grant' ? createGrantAdapter(items, deps) : items;
}

function createItemAdapter(kind: string, { store, ids, endGrant }: AdapterDeps): Adapter {
  const items = store.oauth;
  const open = (item: StoredItem | undefined, id?: string): AdapterPayload | undefined => {
    if (item === undefined) return undefined;
    const payload = JSON.parse(item.payload) as AdapterPayload;
    if (kind !== 'Client') payload.jti = id ?? ids.toReference(item.idHash);
    if (payload.returnTo !== undefined) payload.returnTo += payload.jti;
    if (item.consumedAt !== null && !isInGrace(kind, item.consumedAt)) payload.consumed = item.consumedAt;
    return payload;
  };

  /** Corrects a time in the future, which comes from a wrong clock: the grace period begins now. */
  const correctTime = async (item: StoredItem | undefined): Promise<StoredItem | undefined> => {
    const now = nowSeconds();
    if (item === undefined || item.consumedAt === null || item.consumedAt <= now) return item;
    await items.setConsumedAt(kind, item.idHash, now);
    return { ...item, consumedAt: now };
  };

  return {
    async upsert(id, payload, expiresIn) {
      const { jti: _secret, consumed: _stored, userCode, ...rest } = withoutSecrets(id, payload, ids);
      await items.saveItem({
        kind,
        idHash: ids.toHash(id),
        payload: JSON.stringify(rest),
        grantId: payload.grantId,
        uidHash: payload.uid === undefined ? undefined : hashToken(payload.uid),
        // Absent when an item that was read is saved again: the stored value stays.
        userCodeHash: userCode === undefined ? undefined : hashToken(userCode),
        createdAt: nowSeconds(),
        expiresAt: expiresIn === undefined ? undefined : nowSeconds() + expiresIn,
      });
    },
    async find(id) {
      const item = await items.findItem(kind, { idHash: ids.toHash(id) });
      // For all other kinds the library checks the expiry and the grant itself.
      if (kind === 'Client' && item?.expiresAt != null && item.expiresAt <= nowSeconds()) return undefined;
      return open(await correctTime(item), id);
    },
    findByUid: async (uid) => open(await items.findItem(kind, { uidHash: hashToken(uid) })),
    async findByUserCode(userCode) {
      const found = open(await items.findItem(kind, { userCodeHash: hashToken(userCode) }));
      return found && { ...found, userCode };
    },
    async consume(id) {
      const idHash = ids.toHash(id);
      if ((await items.consumeItem(kind, idHash, nowSeconds())) || !SINGLE_USE.has(kind)) return;
      const item = await items.findItem(kind, { idHash });
      if (item?.grantId != null) await endGrant(item.grantId);
      throw new errors.InvalidGrant('already used');
    },
    destroy: (id) => items.deleteItem(kind, ids.toHash(id)),
    revokeByGrantId: (grantId) => items.deleteItemsOfGrant(kind, grantId),
  };
}

/** Creates the storage of registrations. They expire unless an access is approved. */
function createClientAdapter(adapter: Adapter, items: OAuthStore): Adapter {
  return {
    ...adapter,
    async upsert(id, payload) {
      await items.trimExpiringItems('Client', MAX_UNUSED_CLIENTS - 1);
      await adapter.upsert(id, payload, UNUSED_CLIENT_SECONDS);
    },
  };
}

/**
 * Creates the storage of the library's grants, which have the ids of ours. The item holds scopes; whether the grant is
 * live is always read from our row.
 */
function createGrantAdapter(adapter: Adapter, { store, endGrant }: AdapterDeps): Adapter {
  return {
    ...adapter,
    // Stored without expiry: the library's own limit would end a long grant too early.
    upsert: (id, payload) => adapter.upsert(id, payload),
    async find(id) {
      const payload = await adapter.find(id);
      const grant = payload && (await findLiveGrant(store, id, new Date()));
      if (!payload || grant === undefined) return undefined;
      const exp = grant.expiresAt === undefined ? NEVER : Math.floor(Date.parse(grant.expiresAt) / 1_000);
      return { ...payload, exp } satisfies AdapterPayload;
    },
    async destroy(id) {
      await endGrant(id);
      await adapter.destroy(id);
    },
  };
}

/** Creates the storage of access tokens: the table that every call is checked against. */
function createTokenAdapter(items: OAuthStore): Adapter {
  const none = async () => undefined;
  const toDate = (seconds = 0) => new Date(seconds * 1_000);
  return {
    async upsert(id, { jti: _secret, ...payload }) {
      await items.saveAccessToken({
        tokenHash: hashToken(id),
        grantId: payload.grantId,
        createdAt: toDate(payload.iat),
        expiresAt: toDate(payload.exp),
        resource: [payload.aud].flat()[0],
        payload: JSON.stringify(payload),
      });
    },
    async find(id) {
      const payload = await items.findAccessTokenPayload(hashToken(id));
      return payload === undefined ? undefined : { ...(JSON.parse(payload) as AdapterPayload), jti: id };
    },
    destroy: (id) => items.deleteAccessToken(hashToken(id)),
    revokeByGrantId: (grantId) => items.deleteAccessTokensOfGrant(grantId),
    async consume() {},
    findByUid: none,
    findByUserCode: none,
  };
}

/** Clients run several processes with one stored token, so a superseded one still works for a while. */
function isInGrace(kind: string, consumedAt: number): boolean {
  return kind === 'RefreshToken' && nowSeconds() - consumedAt < REFRESH_GRACE_SECONDS;
}

/**
 * Replaces secrets of other items by references, and drops a cookie's value. The return address ends with the item's
 * own id, which is appended again when it is read.
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

const CLEAN_UP_INTERVAL_MS = 10 * MINUTE_MS;
/** Expired items stay this long, so that a late client is told "expired" and not "unknown". */
const EXPIRED_SECONDS = 3_600;

/**
 * Creates a function that deletes expired items. It is called where unknown callers can add items, which bounds the
 * tables without a timer.
 */
export function createCleanUp(items: OAuthStore): (now: Date) => Promise<void> {
  let last: number | undefined;
  return async (now) => {
    const passed = now.getTime() - (last ?? 0);
    // A time in the future comes from a clock that was wrong.
    if (last !== undefined && passed >= 0 && passed < CLEAN_UP_INTERVAL_MS) return;
    last = now.getTime();
    await items.deleteItemsExpiredBefore(Math.floor(last / 1_000) - EXPIRED_SECONDS);
    await items.deleteAccessTokensExpiredBefore(new Date(last - DAY_MS));
  };
}
