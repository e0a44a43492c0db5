import { createHmac } from 'node:crypto';
import type { Adapter, Provider as ProviderClass } from 'oidc-provider';
import { deriveKey } from '../../secrets/derive-key.ts';
import type { OAuthStore } from '../../store/oauth-store.ts';
import { Provider } from '../library.ts';
import { nowSeconds } from '../lifetimes.ts';
import type { ItemIds } from './item-id.ts';

/** What secret scanners may look for. */
const ACCESS_PREFIX = 'pdpp_';
const REFRESH_PREFIX = 'pdppr_';

interface Successor {
  readonly token: string;
  /** Since when it has been the one to use next, in seconds; absent where it is given for the first time. */
  readonly since: number | undefined;
}

export interface Rotation {
  /** Storage that finds the successor while a refresh token is superseded: later the library asks and cannot wait. */
  adapt(adapter: Adapter): Adapter;
  /** What follows the refresh token that the present request supersedes. */
  nextToken(): string;
  /**
   * For how many seconds that has been the one to use next. The access tokens that go out with it end together,
   * whoever came last for one: if each had its full time, the processes on one stored token would drift apart from
   * round to round, until the slowest came later than the grace allows.
   */
  nextAge(): number;
}

/**
 * The successor of a refresh token follows from the token itself, so that however many processes present the
 * same one within the grace, all of them end up on the same next one: there is never a second branch on
 * which a thief could live unnoticed. Where the next one was used already, the one after it is given.
 */
export function createRotation(secret: Uint8Array, items: OAuthStore, ids: ItemIds): Rotation {
  const key = deriveKey(secret, 'refresh successor');
  const successors = new WeakMap<object, Successor>();
  const findSuccessor = async (refreshToken: string): Promise<Successor> => {
    for (let token = refreshToken; ; ) {
      token = `${REFRESH_PREFIX}${createHmac('sha256', key).update(token).digest('base64url')}`;
      const stored = await items.findItem('RefreshToken', { idHash: ids.toHash(token) });
      if (stored === undefined || stored.consumedAt === null) return { token, since: stored?.createdAt };
    }
  };
  const getPresent = (): Successor => {
    const successor = Provider.ctx && successors.get(Provider.ctx);
    if (successor === undefined) throw new Error('a refresh token was rotated that was not superseded');
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
    nextToken: () => getPresent().token,
    nextAge() {
      const now = nowSeconds();
      // By a clock that was ahead it began in the future: it has no age yet, and certainly none below zero.
      return Math.max(0, now - (getPresent().since ?? now));
    },
  };
}

interface TokenClass {
  prototype: { generateTokenId(): string };
}

/** Gives tokens a prefix that secret scanners can know, and a rotated refresh token its one successor. */
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
