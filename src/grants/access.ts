import { hashToken } from '../secrets/token.ts';
import type { GrantRow } from '../store/grant-store.ts';
import type { ReadStore } from '../store/store.ts';
import { findGrant, type Grant, isAfter, isLive } from './grant.ts';

export type Access =
  | { kind: 'client'; grant: Grant; tokenHash: string }
  | { kind: 'owner'; tokenHash: string }
  /** The token was real once; its grant has ended. */
  | { kind: 'ended' }
  | { kind: 'unknown' };

/** Reading and freezing a large grant costs more than looking it up, so the last few are kept by their text. */
const CACHED_GRANTS = 100;
const REMEMBERED_LATE = 10_000;

export type FindAccess = (token: string, now: Date) => Promise<Access>;

/**
 * Who a token belongs to, looked up anew every time. A kind of token we do not know is no token, and neither
 * is one that was issued for another address than this server's own.
 */
export function createAccessFinder(store: ReadStore, resource: string): FindAccess {
  const cache = new Map<string, { row: GrantRow; grant: Grant }>();
  const read = (row: GrantRow): Grant | undefined => {
    const known = cache.get(row.grant_id);
    if (known !== undefined && isSameRow(known.row, row)) return known.grant;
    const grant = findGrant(row);
    if (grant === undefined) return undefined;
    if (cache.size >= CACHED_GRANTS) cache.delete(cache.keys().next().value as string);
    cache.set(row.grant_id, { row, grant });
    return grant;
  };

  const late = new Set<string>();
  /** What was once refused as too late stays refused, also when the clock is turned back. */
  const hasRunOut = (hash: string, expiresAt: string | null, now: Date): boolean => {
    if (expiresAt === null) return false;
    const key = `${hash} ${expiresAt}`;
    if (isAfter(expiresAt, now)) return late.has(key);
    if (late.size >= REMEMBERED_LATE) late.delete(late.keys().next().value as string);
    late.add(key);
    return true;
  };

  return async (token, now) => {
    const hash = hashToken(token);
    const row = await store.grants.findAccess(hash);
    if (row === undefined || (row.resource !== null && row.resource !== resource)) return { kind: 'unknown' };
    const ranOut = hasRunOut(hash, row.token_expires_at, now);
    if (row.kind === 'owner') return ranOut ? { kind: 'unknown' } : { kind: 'owner', tokenHash: hash };
    if (row.kind !== 'client' || row.grant_id === null) return { kind: 'unknown' };
    const grant = read(row as GrantRow);
    if (grant === undefined || !isLive(grant, now)) return { kind: 'ended' };
    // The grant goes on, so the app can get another token: it must not be told that all is over.
    return ranOut ? { kind: 'unknown' } : { kind: 'client', grant, tokenHash: hash };
  };
}

/** What can change in a stored grant; the rest is written once. */
function isSameRow(a: GrantRow, b: GrantRow): boolean {
  return (
    a.body === b.body &&
    a.revoked_at === b.revoked_at &&
    a.expires_at === b.expires_at &&
    a.ended_connections === b.ended_connections
  );
}
