import type { Context } from 'hono';
import { createThrottle } from '../../limits/throttle.ts';
import { createPresentedFinder } from '../../oauth/presented.ts';
import type { WriteStore } from '../../store/open-store.ts';
import type { FindAttempter } from '../client-address.ts';

const MINUTE = 60_000;

export interface TokenAttempt {
  /** Whether the client presented something that this server has given out. */
  readonly isKnown: boolean;
  giveBack(): void;
}

/**
 * Counts what fails where apps present tokens. Strangers are counted by address. Who presents something that
 * we have given out is counted by that alone, so that no stranger at the same address (a proxy, an office)
 * can keep an app from staying connected; a device that waits for its owner asks every five seconds.
 */
export function createTokenAttempts(store: WriteStore, findAttempter: FindAttempter, now: () => Date) {
  const findPresented = createPresentedFinder(store);
  const throttleStrangers = createThrottle({
    perAddress: { most: 100, windowMs: 10 * MINUTE },
    inAll: { most: 300, windowMs: MINUTE },
  });
  const throttleKnown = createThrottle({
    perAddress: { most: 300, windowMs: 10 * MINUTE },
    inAll: { most: 3_000, windowMs: MINUTE },
  });
  return async (c: Context, form?: URLSearchParams): Promise<TokenAttempt> => {
    const key = form === undefined ? undefined : await findPresented(form);
    const giveBack =
      key === undefined ? throttleStrangers(findAttempter(c), now()) : throttleKnown({ key }, now());
    return { isKnown: key !== undefined, giveBack };
  };
}
