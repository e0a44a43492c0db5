import { AppError } from '../errors.ts';
import { createId, createToken, hashToken } from '../secrets/token.ts';
import type { EndedGrant, GrantRow } from '../store/grant-store.ts';
import type { ReadStore, WriteStore } from '../store/store.ts';
import { command } from '../text/hint.ts';
import { DAY_MS } from '../time/durations.ts';
import {
  type Grant,
  type GrantedStreamTerms,
  isLive,
  parseGrant,
  readGrant,
  writeGrantBody,
} from './grant.ts';

export interface NewGrant {
  clientName: string;
  purpose?: string | undefined;
  accessMode?: Grant['accessMode'] | undefined;
  streams: readonly GrantedStreamTerms[];
  expiresAt?: Date | undefined;
  clientId?: string | undefined;
  verifiedHost?: string | undefined;
  redirectHost?: string | undefined;
}

/** Stores an approved grant, without a token. */
export async function storeGrant({ grants }: WriteStore, input: NewGrant, now: Date): Promise<Grant> {
  if (!/^[^\p{C}]{1,60}$/u.test(input.clientName)) {
    throw new AppError('invalid_argument', 'A client name has 1 to 60 printable characters.');
  }
  const row: GrantRow = {
    grant_id: createId('grant'),
    client_name: input.clientName,
    created_at: now.toISOString(),
    expires_at: input.expiresAt?.toISOString() ?? null,
    revoked_at: null,
    body: writeGrantBody({
      purpose: input.purpose,
      access_mode: input.accessMode,
      streams: [...input.streams],
    }),
    client_id: input.clientId ?? null,
    verified_host: input.verifiedHost ?? null,
    redirect_host: input.redirectHost ?? null,
    ended_connections: null,
  };
  await grants.add(row);
  return readGrant(row);
}

/**
 * Throws if the terms name a connection that was removed after the owner saw them. Runs in the transaction that stores them.
 * Otherwise a later connection with the same id would inherit access that the owner has not approved.
 */
export async function checkConnections(
  { catalog }: WriteStore,
  streams: readonly GrantedStreamTerms[],
): Promise<void> {
  const present = new Set((await catalog.listConnections()).map(({ connection_id }) => connection_id));
  if (streams.some(({ connection_id }) => !present.has(connection_id)))
    throw new AppError('conflict', 'A connection was removed meanwhile. Reload the page.');
}

/** Stores a grant and issues its one token, which is shown once and stored as a hash. */
export async function createGrant(
  store: WriteStore,
  input: NewGrant,
  now: Date,
): Promise<{ grant: Grant; token: string }> {
  const token = createToken();
  const grant = await store.transact(async () => {
    const stored = await storeGrant(store, input, now);
    await store.grants.addToken({
      tokenHash: hashToken(token),
      kind: 'client',
      grantId: stored.grantId,
      createdAt: stored.createdAt,
      expiresAt: stored.expiresAt ?? null,
    });
    return stored;
  });
  return { grant, token };
}

const OWNER_TOKEN_DAYS = 90;

/** Issues a token with all rights of the owner, for ingest and REST; /mcp refuses it. */
export async function createOwnerToken(store: WriteStore, now: Date): Promise<string> {
  const token = createToken();
  await store.grants.addToken({
    tokenHash: hashToken(token),
    kind: 'owner',
    grantId: null,
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + OWNER_TOKEN_DAYS * DAY_MS).toISOString(),
  });
  return token;
}

/** Ends a grant; returns undefined if it had ended before. An unknown id is an error. */
export async function revokeGrant(
  store: WriteStore,
  grantId: string,
  now: Date,
): Promise<EndedGrant | undefined> {
  const ended = await store.grants.end(grantId, now.toISOString());
  if (ended === undefined) await getGrant(store, grantId);
  return ended;
}

/** Removes one connection from a grant until the owner selects it again. */
export async function endConnection(store: WriteStore, grantId: string, connectionId: string): Promise<void> {
  // One transaction, so that two concurrent calls do not overwrite each other's list.
  await store.transact(async () => {
    const grant = await getGrant(store, grantId);
    if (!grant.streams.some((stream) => stream.connection_id === connectionId)) {
      throw new AppError('unknown_connection', 'The grant has no such connection.');
    }
    await store.grants.setEndedConnections(grantId, [...grant.endedConnections, connectionId]);
  });
}

/** Sets when a grant expires; without a date it lasts until it is revoked. */
export async function setGrantExpiry(
  store: WriteStore,
  grantId: string,
  expiresAt: Date | undefined,
): Promise<void> {
  await store.transact(() => writeGrantExpiry(store, grantId, expiresAt));
}

/** Sets the expiry inside a transaction of the caller. */
export async function writeGrantExpiry(
  { grants }: WriteStore,
  grantId: string,
  expiresAt: Date | undefined,
): Promise<void> {
  if (!(await grants.setExpiry(grantId, expiresAt?.toISOString() ?? null))) throw noGrant();
}

export async function getGrant(
  store: ReadStore | WriteStore,
  grantId: string,
  /** Creates the error for an unknown id. Callers that show another word than grant replace it. */
  missing: () => AppError = noGrant,
): Promise<Grant> {
  const grant = await findStored(store, grantId);
  if (grant === undefined) throw missing();
  return grant;
}

async function findStored(store: ReadStore | WriteStore, grantId: string): Promise<Grant | undefined> {
  const row = await store.grants.find(grantId);
  return row && parseGrant(row);
}

/** Returns the grant if it is live. */
export async function findLiveGrant(
  store: ReadStore | WriteStore,
  grantId: string,
  now: Date,
): Promise<Grant | undefined> {
  const grant = await findStored(store, grantId);
  return grant !== undefined && isLive(grant, now) ? grant : undefined;
}

export async function listGrants(store: ReadStore | WriteStore): Promise<Grant[]> {
  return (await store.grants.list()).flatMap((row) => parseGrant(row) ?? []);
}

function noGrant(): AppError {
  return new AppError('not_found', 'There is no grant with that id.', { hint: [command('grant list')] });
}
