import { createToken, hashToken } from '../secrets/token.ts';
import type { WriteStore } from '../store/store.ts';
import { MINUTE_MS } from '../time/durations.ts';

const LIFETIME_MS = 60 * MINUTE_MS;
/** Tolerates small clock corrections. A link that expires even later was created by a wrong clock. */
const SLACK_MS = 10 * MINUTE_MS;

/**
 * Creates a one-time link to set the passphrase. Earlier links stop working, unless they are kept: processes that start
 * together each print one.
 */
export async function createSetupLink(
  store: WriteStore,
  publicUrl: string,
  now: Date,
  earlier: 'end' | 'keep' = 'end',
): Promise<string> {
  const secret = createToken();
  await store.transact(async () => {
    if (earlier === 'end') await store.owner.deleteUnusedLinks();
    await store.owner.addSetupLink({
      hash: hashToken(secret),
      createdAt: now.toISOString(),
      expiresAt: new Date(now.getTime() + LIFETIME_MS).toISOString(),
      usedAt: null,
    });
  });
  return `${publicUrl}/setup/${secret}`;
}

export type LinkState = 'usable' | 'used' | 'unknown';

export async function checkSetupLink(store: WriteStore, secret: string, now: Date): Promise<LinkState> {
  const link = await store.owner.findSetupLink(hashToken(secret));
  if (link === undefined) return 'unknown';
  const left = Date.parse(link.expiresAt) - now.getTime();
  return link.usedAt === null && left > 0 && left <= LIFETIME_MS + SLACK_MS ? 'usable' : 'used';
}

/** Uses up the link, and ends all others. Only one of two concurrent attempts succeeds. */
export async function takeSetupLink(store: WriteStore, secret: string, now: Date): Promise<boolean> {
  const latest = new Date(now.getTime() + LIFETIME_MS + SLACK_MS).toISOString();
  const isTaken = await store.owner.useSetupLink(hashToken(secret), { now: now.toISOString(), latest });
  if (isTaken) await store.owner.deleteUnusedLinks();
  return isTaken;
}
