import type { WriteEvent } from '../audit/events.ts';
import { AppError } from '../errors.ts';
import { loadCatalog } from '../schema-index/catalog.ts';
import { createId } from '../secrets/token.ts';
import type { WriteStore } from '../store/store.ts';
import { parseExpiryChoice } from './expiry-choice.ts';
import { type Grant, type GrantedStreamTerms, isLive, writeGrantBody } from './grant.ts';
import {
  checkConnections,
  endConnection,
  getGrant,
  setGrantExpiry,
  writeGrantExpiry,
} from './grant-store.ts';

/** Changes that the owner makes to a grant. Each writes an event. */
export interface AppChanges {
  revoke(grantId: string): Promise<void>;
  /** `choice` is a duration such as `1w`, a day, or `never`. */
  setExpiry(grantId: string, choice: string): Promise<void>;
  endConnection(grantId: string, connectionId: string): Promise<void>;
}

export function createAppChanges(deps: {
  readonly write: WriteStore;
  readonly writeEvent: WriteEvent;
  readonly now: () => Date;
}): AppChanges {
  const { write, writeEvent, now } = deps;
  const find = async (grantId: string) => {
    const grant = await getGrant(write, grantId);
    return { grant, event: { client: grant.clientName, clientId: grant.clientId, grantId } };
  };
  return {
    async revoke(grantId) {
      const { grant, event } = await find(grantId);
      if (!isLive(grant, now()) || !(await write.grants.end(grantId, now().toISOString()))) return;
      await writeEvent({ kind: 'revoked', ...event }, now());
    },
    async setExpiry(grantId, choice) {
      const { grant, event } = await find(grantId);
      checkLive(grant, now());
      const { timeZone } = await loadCatalog(write);
      const expiresAt = parseExpiryChoice(choice, now(), timeZone);
      await setGrantExpiry(write, grantId, expiresAt);
      const detail = expiresAt === undefined ? 'until revoked' : `until ${expiresAt.toISOString()}`;
      await writeEvent({ kind: 'expiry_changed', ...event, detail }, now());
    },
    async endConnection(grantId, connectionId) {
      const { event } = await find(grantId);
      await endConnection(write, grantId, connectionId);
      await writeEvent({ kind: 'connection_ended', ...event, detail: connectionId }, now());
    },
  };
}

/** Refuses to change a grant that has ended: it needs a new approval. */
function checkLive(grant: Grant, now: Date): void {
  if (!isLive(grant, now))
    throw new AppError('grant_revoked', 'This access has ended. Connect the app again.');
}

export interface TermsChange {
  readonly streams: readonly GrantedStreamTerms[];
  readonly expiresAt: Date | undefined;
}

/**
 * Replaces the terms of a live grant. Tokens stay bound to the grant, so the new terms apply from their next request.
 * `shown` is the grant as the owner saw it. If it has changed since, this throws a conflict.
 */
export function changeTerms(
  store: WriteStore,
  shown: Grant,
  { streams, expiresAt }: TermsChange,
  now: Date,
  /** Runs before the change is committed. An error from it undoes the change. */
  beforeCommit: () => Promise<void>,
): Promise<void> {
  return store.transact(async () => {
    const stored = await getGrant(store, shown.grantId);
    checkLive(stored, now);
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
    await beforeCommit();
  });
}

function isSameAccess(a: Grant, b: Grant): boolean {
  const parts = ({ revision, streams, expiresAt, endedConnections }: Grant) =>
    JSON.stringify([revision ?? null, streams, expiresAt ?? null, endedConnections]);
  return parts(a) === parts(b);
}
