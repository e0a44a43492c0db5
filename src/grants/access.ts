import type { ReadStore } from '../store/open-store.ts';
import { findGrant, type Grant, type GrantRow, grantColumns, isAfter, isLive } from './grant.ts';
import { hashToken } from './token.ts';

export type Access =
  | { kind: 'client'; grant: Grant }
  | { kind: 'owner' }
  /** The token was real once; its grant has ended. */
  | { kind: 'ended' }
  | { kind: 'unknown' };

/** Reading and freezing a large grant costs more than looking it up, so the last few are kept by their text. */
const CACHED_GRANTS = 100;

type TokenRow = { kind: string; token_expires_at: string | null; resource: string | null } & {
  [Name in keyof GrantRow]: GrantRow[Name] | null;
};

export type FindAccess = (token: string, now: Date) => Promise<Access>;

/**
 * Who a token belongs to, looked up anew every time. A kind of token we do not know is no token, and neither
 * is one that was issued for another address than this server's own.
 */
export function createAccessFinder(store: ReadStore, resource: string): FindAccess {
  const cache = new Map<string, { row: GrantRow; grant: Grant }>();
  // Built once and run with another hash each time: every request begins here.
  const query = store.db
    .selectFrom('tokens')
    .leftJoin('grants', 'grants.grant_id', 'tokens.grant_id')
    .select(['tokens.kind', 'tokens.expires_at as token_expires_at', 'tokens.resource', ...grantColumns])
    .where('token_hash', '=', '')
    .compile();
  const read = (row: GrantRow): Grant | undefined => {
    const known = cache.get(row.grant_id);
    if (known !== undefined && isSameRow(known.row, row)) return known.grant;
    const grant = findGrant(row);
    if (grant === undefined) return undefined;
    if (cache.size >= CACHED_GRANTS) cache.delete(cache.keys().next().value as string);
    cache.set(row.grant_id, { row, grant });
    return grant;
  };

  return async (token, now) => {
    const { rows } = await store.db.executeQuery<TokenRow>({ ...query, parameters: [hashToken(token)] });
    const [row] = rows;
    if (row === undefined || (row.resource !== null && row.resource !== resource)) return { kind: 'unknown' };
    if (row.token_expires_at !== null && !isAfter(row.token_expires_at, now)) return { kind: 'ended' };
    if (row.kind === 'owner') return { kind: 'owner' };
    if (row.kind !== 'client' || row.grant_id === null) return { kind: 'unknown' };
    const grant = read(row as GrantRow);
    return grant !== undefined && isLive(grant, now) ? { kind: 'client', grant } : { kind: 'ended' };
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
