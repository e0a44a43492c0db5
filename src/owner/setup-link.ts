import { createToken, hashToken } from '../secrets/token.ts';
import type { WriteStore } from '../store/open-store.ts';

const LASTS_MS = 60 * 60_000;
/** Clocks are put right by a little all the time. A link that would last longer than this more is of a wrong one. */
const SLACK_MS = 10 * 60_000;

/** A new one-time link to set the passphrase; links made before it stop working. */
export async function createSetupLink(store: WriteStore, publicUrl: string, now: Date): Promise<string> {
  const secret = createToken();
  await store.transact(async () => {
    await store.db.deleteFrom('setup_links').where('used_at', 'is', null).execute();
    await store.db
      .insertInto('setup_links')
      .values({
        link_hash: hashToken(secret),
        created_at: now.toISOString(),
        expires_at: new Date(now.getTime() + LASTS_MS).toISOString(),
        used_at: null,
      })
      .execute();
  });
  return `${publicUrl}/setup/${secret}`;
}

export type LinkState = 'usable' | 'used' | 'unknown';

export async function checkSetupLink(store: WriteStore, secret: string, now: Date): Promise<LinkState> {
  const row = await store.db
    .selectFrom('setup_links')
    .select(['expires_at', 'used_at'])
    .where('link_hash', '=', hashToken(secret))
    .executeTakeFirst();
  if (row === undefined) return 'unknown';
  const left = Date.parse(row.expires_at) - now.getTime();
  return row.used_at === null && left > 0 && left <= LASTS_MS + SLACK_MS ? 'usable' : 'used';
}

/** Uses the link up. Of two that try at once, one wins. */
export async function takeSetupLink(store: WriteStore, secret: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await store.db
    .updateTable('setup_links')
    .set({ used_at: now.toISOString() })
    .where('link_hash', '=', hashToken(secret))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .where('expires_at', '<=', new Date(now.getTime() + LASTS_MS + SLACK_MS).toISOString())
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
