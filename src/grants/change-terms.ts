import { AppError } from '../errors.ts';
import { createId } from '../secrets/token.ts';
import type { WriteStore } from '../store/store.ts';
import { type Grant, type GrantedStreamTerms, isLive, writeGrantBody } from './grant.ts';
import { checkConnections, getGrant, writeGrantExpiry } from './grant-store.ts';

export interface TermsChange {
  readonly streams: readonly GrantedStreamTerms[];
  readonly expiresAt: Date | undefined;
}

/**
 * Replaces what a live grant allows by a new version. Tokens stay bound to the grant, so they read by the new terms from
 * their next request on. `shown` is the grant as the owner saw it: if it is not the same any more, nothing changes.
 */
export function changeTerms(
  store: WriteStore,
  shown: Grant,
  { streams, expiresAt }: TermsChange,
  now: Date,
  /** Runs before the change is committed; what it throws undoes the change. */
  alongside: () => Promise<void>,
): Promise<void> {
  return store.transact(async () => {
    const stored = await getGrant(store, shown.grantId);
    if (!isLive(stored, now))
      throw new AppError('grant_revoked', 'This access has ended. Connect the app again.');
    if (!isSameAccess(stored, shown))
      throw new AppError('conflict', 'The access was changed meanwhile. Reload the page.');
    await checkConnections(store, streams);
    const named = new Set(streams.map((stream) => stream.connection_id));
    const ended = stored.endedConnections.filter((connection) => !named.has(connection));
    const body = writeGrantBody({
      purpose: stored.purpose,
      access_mode: stored.accessMode,
      revision: createId('rev'),
      streams: [...streams],
    });
    await store.grants.setBody(stored.grantId, body);
    await store.grants.setEndedConnections(stored.grantId, ended);
    if (expiresAt?.toISOString() !== stored.expiresAt)
      await writeGrantExpiry(store, stored.grantId, expiresAt);
    await alongside();
  });
}

function isSameAccess(a: Grant, b: Grant): boolean {
  const parts = ({ revision, streams, expiresAt, endedConnections }: Grant) =>
    JSON.stringify([revision ?? null, streams, expiresAt ?? null, endedConnections]);
  return parts(a) === parts(b);
}
