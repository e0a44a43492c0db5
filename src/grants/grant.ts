import { z } from 'zod';
import { hashToken } from '../secrets/token.ts';
import type { AccessRow, GrantRow } from '../store/grant-store.ts';
import type { ReadStore } from '../store/store.ts';

/** Terms are plain names, frozen when the grant is issued: no later declaration can widen or reinterpret them. */
const grantedStream = z.strictObject({
  connection_id: z.string().min(1),
  stream: z.string().min(1),
  fields: z.array(z.string().min(1)).min(1),
  /** The field that the window applies to. */
  time_field: z.string().min(1).optional(),
  /** Milliseconds; `since` is inside the window, `until` is not. */
  since: z.number().optional(),
  until: z.number().optional(),
  /** Record keys; absent means every record, empty means none. */
  keys: z.array(z.string()).optional(),
});

const grantBody = z.strictObject({
  version: z.literal('0.1.0'),
  purpose: z.string().max(500).optional(),
  /** `single_use` yields one access token and no refresh token. */
  access_mode: z.enum(['continuous', 'single_use']).optional(),
  /** A new random name for each change of the terms; absent in a grant that was never changed. */
  revision: z.string().min(1).optional(),
  streams: z.array(grantedStream),
});

const endedList = z.array(z.string());

export type GrantedStreamTerms = Readonly<z.infer<typeof grantedStream>>;

export interface Grant {
  readonly grantId: string;
  readonly clientName: string;
  readonly createdAt: string;
  readonly expiresAt: string | undefined;
  readonly revokedAt: string | undefined;
  readonly purpose: string | undefined;
  readonly accessMode: 'continuous' | 'single_use';
  /** The approved streams without the connections that the owner has ended since. */
  readonly streams: readonly GrantedStreamTerms[];
  readonly endedConnections: readonly string[];
  /** Names this version of the terms; undefined until they are first changed. */
  readonly revision: string | undefined;
  /** Absent for a grant made on the command line. */
  readonly clientId: string | undefined;
  /** The host that vouches for the client's name. */
  readonly verifiedHost: string | undefined;
  /** The host of the redirect URI at the approval. */
  readonly redirectHost: string | undefined;
}

/** Parses a grant that was just written. */
export function readGrant(row: GrantRow): Grant {
  const grant = parseGrant(row);
  if (grant === undefined) throw new Error('a grant was written that cannot be read');
  return grant;
}

/** Parses a stored grant. A grant of an unknown version or with a damaged row gives no access. */
export function parseGrant(row: GrantRow): Grant | undefined {
  const body = parseGrantBody(row.body);
  const ended = endedList.safeParse(parseJson(row.ended_connections ?? '[]')).data;
  if (body === undefined || ended === undefined) return undefined;
  return deepFreeze({
    grantId: row.grant_id,
    clientName: row.client_name,
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
    purpose: body.purpose,
    accessMode: body.access_mode ?? 'continuous',
    streams: body.streams.filter((stream) => !ended.includes(stream.connection_id)),
    endedConnections: ended,
    revision: body.revision,
    clientId: row.client_id ?? undefined,
    verifiedHost: row.verified_host ?? undefined,
    redirectHost: row.redirect_host ?? undefined,
  });
}

/** Parses the stored body of a grant; undefined where it is damaged or of an unknown version. */
export function parseGrantBody(text: string): z.infer<typeof grantBody> | undefined {
  return grantBody.safeParse(parseJson(text)).data;
}

export function writeGrantBody(body: Omit<z.input<typeof grantBody>, 'version'>): string {
  return JSON.stringify(grantBody.parse({ version: '0.1.0', ...body }));
}

/** Returns what cursors are bound to. A change of the terms ends them: an old position would skip newly visible records. */
export function cursorScope({ grantId, revision }: Grant): string {
  return revision === undefined ? grantId : `${grantId} ${revision}`;
}

/** Whether the grant is neither revoked nor expired. */
export function isLive(grant: Grant, now: Date): boolean {
  return grant.revokedAt === undefined && (grant.expiresAt === undefined || isAfter(grant.expiresAt, now));
}

/** Whether a stored time is in the future. An unreadable time is not. */
export function isAfter(time: string, now: Date): boolean {
  return Date.parse(time) > now.getTime();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}

/** How an access was found. */
export interface FoundAccess {
  readonly tokenHash: string;
  readonly versions: AccessRow['versions'];
  /** When the store was read, in milliseconds of `performance.now()`. */
  readonly readAt: number;
  /** Reads the store again. */
  readonly readAgain: (now: Date) => Promise<Access>;
}

export type Access =
  | ({ kind: 'client'; grant: Grant } & FoundAccess)
  | ({ kind: 'owner' } & FoundAccess)
  /** The token was valid once; its grant has ended. */
  | { kind: 'ended' }
  | { kind: 'unknown' };

const MAX_CACHED_GRANTS = 100;
const MAX_EXPIRED_TOKENS = 10_000;

export type FindAccess = (token: string, now: Date) => Promise<Access>;

/**
 * Returns a function that looks up the access of a token. Each call reads the store again. Tokens of an unknown kind, or
 * issued for the address of another server, are unknown.
 */
export function createAccessFinder(store: ReadStore, resource: string): FindAccess {
  // Parsing and freezing a large grant costs more than looking it up.
  const cache = new Map<string, { row: GrantRow; grant: Grant }>();
  const read = (row: GrantRow): Grant | undefined => {
    const cached = cache.get(row.grant_id);
    if (cached !== undefined && isSameRow(cached.row, row)) return cached.grant;
    const grant = parseGrant(row);
    if (grant === undefined) return undefined;
    if (cache.size >= MAX_CACHED_GRANTS) cache.delete(cache.keys().next().value as string);
    cache.set(row.grant_id, { row, grant });
    return grant;
  };

  const expired = new Set<string>();
  /** A token that was once refused as expired stays refused, even if the clock is turned back. */
  const isExpired = (hash: string, expiresAt: string | null, now: Date): boolean => {
    if (expiresAt === null) return false;
    const key = `${hash} ${expiresAt}`;
    if (isAfter(expiresAt, now)) return expired.has(key);
    if (expired.size >= MAX_EXPIRED_TOKENS) expired.delete(expired.keys().next().value as string);
    expired.add(key);
    return true;
  };

  const findByHash = async (tokenHash: string, now: Date): Promise<Access> => {
    const readAt = performance.now();
    const row = await store.grants.findAccess(tokenHash);
    if (row === undefined || (row.resource !== null && row.resource !== resource)) return { kind: 'unknown' };
    const { versions } = row;
    const readAgain = (later: Date) => findByHash(tokenHash, later);
    const found = { tokenHash, versions, readAt, readAgain };
    const isTokenExpired = isExpired(tokenHash, row.token_expires_at, now);
    if (row.kind === 'owner') return isTokenExpired ? { kind: 'unknown' } : { kind: 'owner', ...found };
    if (row.kind !== 'client' || row.grant_id === null) return { kind: 'unknown' };
    const grant = read(row as GrantRow);
    if (grant === undefined || !isLive(grant, now)) return { kind: 'ended' };
    // The grant is live, so the app can get another token.
    return isTokenExpired ? { kind: 'unknown' } : { kind: 'client', grant, ...found };
  };
  return (token, now) => findByHash(hashToken(token), now);
}

/** Compares the columns of a grant that can change. */
function isSameRow(a: GrantRow, b: GrantRow): boolean {
  return (
    a.body === b.body &&
    a.revoked_at === b.revoked_at &&
    a.expires_at === b.expires_at &&
    a.ended_connections === b.ended_connections
  );
}
