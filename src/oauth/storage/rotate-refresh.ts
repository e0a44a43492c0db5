import { createHmac } from 'node:crypto';
import type { Adapter, Provider as ProviderClass } from 'oidc-provider';
import { deriveKey } from '../../secrets/derive-key.ts';
import type { OAuthStore } from '../../store/oauth-store.ts';
import { Provider } from '../library.ts';
import { nowSeconds } from '../lifetimes.ts';
import type { ItemIds } from './item-id.ts';

/** Prefixes by which secret scanners recognise tokens. */
const ACCESS_PREFIX = 'pdpp_';
const REFRESH_PREFIX = 'pdppr_';

interface Successor {
  readonly token: string;
  /** When it was first issued, in seconds. Absent if it is new. */
  readonly since: number | undefined;
}

export interface Rotation {
  /** Wraps the storage to find the successor of a consumed token: later the library asks for it synchronously. */
  adapt(adapter: Adapter): Adapter;
  /** Returns the successor of the refresh token in the current request. */
  nextToken(): string;
  /**
   * Returns the age of that successor in seconds. All access tokens issued with it expire together. Otherwise processes
   * that share a token would drift apart until one exceeds the grace period.
   */
  nextAge(): number;
}

/**
 * Derives the successor of a refresh token from the token itself. All processes that present the same token within the
 * grace period get the same successor, so a thief never has a branch of their own.
 */
export function createRotation(secret: Uint8Array, items: OAuthStore, ids: ItemIds): Rotation {
  const key = deriveKey(secret, 'refresh successor');
  /** A WeakMap by request context: an entry lives as long as its request. */
  const successors = new WeakMap<object, Successor>();
  const findSuccessor = async (refreshToken: string): Promise<Successor> => {
    for (let token = refreshToken; ; ) {
      token = `${REFRESH_PREFIX}${createHmac('sha256', key).update(token).digest('base64url')}`;
      const stored = await items.findItem('RefreshToken', { idHash: ids.toHash(token) });
      if (stored === undefined || stored.consumedAt === null) return { token, since: stored?.createdAt };
    }
  };
  const getSuccessor = (): Successor => {
    const successor = Provider.ctx && successors.get(Provider.ctx);
    if (successor === undefined) throw new Error('a rotated refresh token has no successor');
    return successor;
  };
  return {
    adapt: (adapter) => ({
      ...adapter,
      async consume(id) {
        await adapter.consume(id);
        if (Provider.ctx !== undefined) successors.set(Provider.ctx, await findSuccessor(id));
      },
    }),
    nextToken: () => getSuccessor().token,
    nextAge() {
      const now = nowSeconds();
      // A clock that was ahead gives a date in the future, which counts as age zero.
      return Math.max(0, now - (getSuccessor().since ?? now));
    },
  };
}

interface TokenClass {
  prototype: { generateTokenId(): string };
}

/** Gives tokens their prefixes, and a rotated refresh token its derived successor. */
export function nameTokens(provider: ProviderClass, rotation: Rotation): void {
  const access = (provider.AccessToken as unknown as TokenClass).prototype;
  const randomAccess = access.generateTokenId;
  access.generateTokenId = function () {
    return `${ACCESS_PREFIX}${randomAccess.call(this)}`;
  };
  const refresh = (provider.RefreshToken as unknown as TokenClass).prototype;
  const randomRefresh = refresh.generateTokenId;
  refresh.generateTokenId = function () {
    const isRotated = Provider.ctx?.oidc.entities.RotatedRefreshToken !== undefined;
    return isRotated ? rotation.nextToken() : `${REFRESH_PREFIX}${randomRefresh.call(this)}`;
  };
}
