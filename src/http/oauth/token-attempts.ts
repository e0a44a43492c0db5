import type { Context } from 'hono';
import { createThrottle } from '../../limits/throttle.ts';
import { hashToken } from '../../secrets/token.ts';
import type { OAuthStore } from '../../store/oauth-store.ts';
import { MINUTE_MS } from '../../time/durations.ts';
import type { FindSource } from '../client-address.ts';

/** Where a client shows something that it was given. */
const PARAMETERS = ['refresh_token', 'code', 'device_code', 'token'];
const KINDS = ['RefreshToken', 'AuthorizationCode', 'DeviceCode'];

export interface TokenAttempt {
  readonly isKnown: boolean;
  giveBack(): void;
}

/**
 * Counts what fails where apps present tokens. Strangers are counted by address. Who presents something that
 * we have given out is counted by that alone, so that no stranger at the same address (a proxy, an office)
 * can keep an app from staying connected; a device that waits for its owner asks every five seconds.
 */
export function createTokenAttempts(items: OAuthStore, findSource: FindSource, now: () => Date) {
  const throttleStrangers = createThrottle({
    perAddress: { most: 100, windowMs: 10 * MINUTE_MS },
    inAll: { most: 300, windowMs: MINUTE_MS },
  });
  const throttleKnown = createThrottle({
    perAddress: { most: 300, windowMs: 10 * MINUTE_MS },
    inAll: { most: 3_000, windowMs: MINUTE_MS },
  });
  return async (c: Context, form?: URLSearchParams): Promise<TokenAttempt> => {
    const key = form === undefined ? undefined : await findPresented(items, form);
    const giveBack =
      key === undefined ? throttleStrangers(findSource(c), now()) : throttleKnown({ key }, now());
    return { isKnown: key !== undefined, giveBack };
  };
}

/** The hash of what a client presents, if this server has given it out. Whether it is still good is not asked here. */
async function findPresented(items: OAuthStore, form: URLSearchParams): Promise<string | undefined> {
  for (const name of PARAMETERS) {
    const value = form.get(name);
    if (value === null) continue;
    const hash = hashToken(value);
    if (await items.isIssued(hash, KINDS)) return hash;
  }
  return undefined;
}
