import { AppError } from '../errors.ts';
import { createId, createToken, hashToken } from '../secrets/token.ts';
import type { EndedGrant, GrantRow } from '../store/grant-store.ts';
import type { ReadStore, WriteStore } from '../store/store.ts';
import { command } from '../text/hint.ts';
import { DAY_MS } from '../time/durations.ts';
import {
  findGrant,
  type Grant,
  type GrantedStreamTerms,
  isLive,
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

/** Stores what the owner approved. It has no token yet. */
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
 * Refuses terms over a connection that was removed since they were shown. Runs in the transaction that stores them: a
 * connection that is made later under the same id is another one, and nobody was asked about it.
 */
export async function checkConnections(
  { catalog }: WriteStore,
  streams: readonly GrantedStreamTerms[],
): Promise<void> {
  const present = new Set((await catalog.listConnections()).map(({ connection_id }) => connection_id));
  if (streams.some(({ connection_id }) => !present.has(connection_id)))
    throw new AppError('conflict', 'A connection was removed meanwhile. Reload the page.');
}

/** Stores a grant and issues its one token, which is shown once and kept only as a hash. */
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

/** A token with the owner's own power: for ingest and REST, refused where AI apps read. */
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

/** Ends every owner token there is. */
export async function revokeOwnerTokens(store: WriteStore): Promise<number> {
  return store.grants.deleteOwnerTokens();
}

/**
 * Ends a grant. Its tokens stop working at once, because every request looks the grant up again. Of several that
 * come at once, the one that ended it hears whose it was.
 */
export async function endGrant(
  store: WriteStore,
  grantId: string,
  now: Date,
): Promise<EndedGrant | undefined> {
  return store.grants.end(grantId, now.toISOString());
}

/** The same for whoever names a grant: one that is not there is an error, one that has ended is not. */
export async function revokeGrant(
  store: WriteStore,
  grantId: string,
  now: Date,
): ReturnType<typeof endGrant> {
  const ended = await endGrant(store, grantId, now);
  if (ended === undefined) await getGrant(store, grantId);
  return ended;
}

/** Takes one connection out of a grant for good; the rest of it goes on. */
export async function endConnection(store: WriteStore, grantId: string, connectionId: string): Promise<void> {
  // Read and written in one: of two connections that are ended at once, neither may come back.
  await store.transact(async () => {
    const grant = await getGrant(store, grantId);
    if (!grant.streams.some((stream) => stream.connection_id === connectionId)) {
      throw new AppError('unknown_connection', 'The grant has no such connection.');
    }
    await store.grants.setEndedConnections(grantId, [...grant.endedConnections, connectionId]);
  });
}

/** Sets when a live grant ends by itself; without a date it lasts until it is revoked. */
export async function setGrantExpiry(
  store: WriteStore,
  grantId: string,
  expiresAt: Date | undefined,
): Promise<void> {
  await store.transact(() => writeGrantExpiry(store, grantId, expiresAt));
}

/** The same inside a transaction of the caller. */
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
  /** What to say where there is none, to who does not call it a grant. */
  missing: () => AppError = noGrant,
): Promise<Grant> {
  const grant = await findStored(store, grantId);
  if (grant === undefined) throw missing();
  return grant;
}

async function findStored(store: ReadStore | WriteStore, grantId: string): Promise<Grant | undefined> {
  const row = await store.grants.find(grantId);
  return row && findGrant(row);
}

/** The grant, as long as it counts. */
export async function findLiveGrant(
  store: ReadStore | WriteStore,
  grantId: string,
  now: Date,
): Promise<Grant | undefined> {
  const grant = await findStored(store, grantId);
  return grant !== undefined && isLive(grant, now) ? grant : undefined;
}

export async function listGrants(store: ReadStore | WriteStore): Promise<Grant[]> {
  return (await store.grants.list()).flatMap((row) => findGrant(row) ?? []);
}

function noGrant(): AppError {
  return new AppError('not_found', 'There is no grant with that id.', { hint: [command('grant list')] });
}
