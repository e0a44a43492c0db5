import type { OAuthStore } from '../../store/oauth-store.ts';
import { DAY_MS, MINUTE_MS } from '../../time/durations.ts';

const EVERY_MS = 10 * MINUTE_MS;
/** Whoever comes a little late hears that it has run out, and not that it never was. */
const LATE_SECONDS = 3_600;

/**
 * Forgets what has run out. Called where strangers make us store something, so the tables stay bounded without
 * a clock of their own.
 */
export function createCleanUp(items: OAuthStore): (now: Date) => Promise<void> {
  let last: number | undefined;
  return async (now) => {
    const passed = now.getTime() - (last ?? 0);
    // A last time that is yet to come was written by a clock that was wrong.
    if (last !== undefined && passed >= 0 && passed < EVERY_MS) return;
    last = now.getTime();
    await items.deleteItemsExpiredBefore(Math.floor(last / 1_000) - LATE_SECONDS);
    await items.deleteAccessTokensExpiredBefore(new Date(last - DAY_MS));
  };
}
