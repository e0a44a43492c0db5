import type { WriteEvent } from '../audit/events.ts';
import { AppError } from '../errors.ts';
import { loadCatalog } from '../schema-index/catalog.ts';
import type { WriteStore } from '../store/store.ts';
import { parseExpiryChoice } from './expiry-choice.ts';
import { isLive } from './grant.ts';
import { endConnection, endGrant, getGrant, setGrantExpiry } from './grant-store.ts';

/** What the owner can do to an approval. Each leaves an event behind. */
export interface AppChanges {
  revoke(grantId: string): Promise<void>;
  /** `choice` is a length such as `1w`, a day, or `never`. */
  setExpiry(grantId: string, choice: string): Promise<void>;
  endConnection(grantId: string, connectionId: string): Promise<void>;
}

export function createAppChanges(deps: {
  readonly write: WriteStore;
  readonly writeEvent: WriteEvent;
  readonly now: () => Date;
}): AppChanges {
  const { write, writeEvent, now } = deps;
  const about = async (grantId: string) => {
    const grant = await getGrant(write, grantId);
    const event = { client: grant.clientName, clientId: grant.clientId, grantId };
    return { event, live: isLive(grant, now()) };
  };
  return {
    async revoke(grantId) {
      const { event, live } = await about(grantId);
      if (!live || (await endGrant(write, grantId, now())) === undefined) return;
      await writeEvent({ kind: 'revoked', ...event }, now());
    },
    async setExpiry(grantId, choice) {
      const { event, live } = await about(grantId);
      // What has ended stays ended: whoever wants it again approves it again.
      if (!live) throw new AppError('grant_revoked', 'This access has ended. Connect the app again.');
      const { timeZone } = await loadCatalog(write);
      const expiresAt = parseExpiryChoice(choice, now(), timeZone);
      await setGrantExpiry(write, grantId, expiresAt);
      const detail = expiresAt === undefined ? 'until revoked' : `until ${expiresAt.toISOString()}`;
      await writeEvent({ kind: 'expiry_changed', ...event, detail }, now());
    },
    async endConnection(grantId, connectionId) {
      const { event } = await about(grantId);
      await endConnection(write, grantId, connectionId);
      await writeEvent({ kind: 'connection_ended', ...event, detail: connectionId }, now());
    },
  };
}
