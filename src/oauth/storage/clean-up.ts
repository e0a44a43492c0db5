import type { WriteStore } from '../../store/open-store.ts';

const EVERY_MS = 10 * 60_000;
const MOST_CLIENTS = 1_000;
/** Whoever comes a little late hears that it has run out, and not that it never was. */
const LATE_SECONDS = 3_600;

/**
 * Forgets what has run out. Called where strangers make us store something, so the tables stay bounded without
 * a clock of their own.
 */
export function createCleanUp({ db }: WriteStore): (now: Date) => Promise<void> {
  let last = -Infinity;
  return async (now) => {
    const passed = now.getTime() - last;
    // A last time that is yet to come was written by a clock that was wrong.
    if (passed >= 0 && passed < EVERY_MS) return;
    last = now.getTime();
    await db
      .deleteFrom('oauth_items')
      .where('expires_at', '<', Math.floor(now.getTime() / 1_000) - LATE_SECONDS)
      .execute();
    await db
      .deleteFrom('tokens')
      .where('payload', 'is not', null)
      .where('expires_at', '<', new Date(now.getTime() - 86_400_000).toISOString())
      .execute();
  };
}

/** Makes room for one more registration by forgetting the oldest that never led to an access. */
export async function makeRoomForClient({ db }: WriteStore): Promise<void> {
  const unused = db
    .selectFrom('oauth_items')
    .select('id_hash')
    .where('kind', '=', 'Client')
    .where('expires_at', 'is not', null)
    .orderBy('created_at', 'desc')
    .offset(MOST_CLIENTS - 1);
  await db
    .deleteFrom('oauth_items')
    .where('kind', '=', 'Client')
    .where('id_hash', 'in', unused.limit(1_000_000))
    .execute();
}
