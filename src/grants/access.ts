import { hashToken } from '../secrets/token.ts';
import type { AccessRow, GrantRow } from '../store/grant-store.ts';
import type { ReadStore } from '../store/store.ts';
import { type Grant, isAfter, isLive, parseGrant } from './grant.ts';

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
