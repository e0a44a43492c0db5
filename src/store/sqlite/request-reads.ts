import type Database from 'better-sqlite3';
import type { Kysely } from 'kysely';
import { VersionCache } from '../../limits/cache.ts';
import type { AccessRow, GrantReads } from '../grant-store.ts';
import type { Tables } from './tables.ts';

type Db = Pick<Kysely<Tables>, 'selectFrom' | 'executeQuery'>;

export const grantColumns = [
  'grants.grant_id',
  'client_name',
  'grants.created_at',
  'grants.expires_at',
  'revoked_at',
  'body',
  'client_id',
  'verified_host',
  'redirect_host',
  'ended_connections',
] as const;

/** Returns the read of a token with its grant. Every request makes it, so the statement is compiled once. */
export function createAccessRead(db: Db): GrantReads['findAccess'] {
  const access = db
    .selectFrom('tokens')
    .leftJoin('grants', 'grants.grant_id', 'tokens.grant_id')
    .select(['tokens.kind', 'tokens.expires_at as token_expires_at', 'tokens.resource', ...grantColumns])
    .where('token_hash', '=', '')
    .compile();
  return async (tokenHash) =>
    (await db.executeQuery<AccessRow>({ ...access, parameters: [tokenHash] })).rows[0];
}

/** Returns the read of the catalog's version. Every request makes it, so the statement is compiled once. */
export function createVersionRead(db: Db): () => Promise<number> {
  const version = db.selectFrom('counters').select('value').where('name', '=', 'catalog').compile();
  return async () => (await db.executeQuery(version)).rows[0]?.value ?? -1;
}

/** Returns a read whose results are cached by argument until another connection commits. */
export type CacheUntilCommit = <Result>(
  maxResults: number,
  read: (argument: string) => Promise<Result>,
) => (argument?: string) => Promise<Result>;

/**
 * SQLite can tell whether anything was committed for a tenth of the cost of a read. The connection must be one that never
 * writes, because its own commits do not count.
 */
export function createCommitCache(raw: Database.Database): CacheUntilCommit {
  const dataVersion = raw.prepare('pragma data_version').pluck();
  return <Result>(maxResults: number, read: (argument: string) => Promise<Result>) => {
    const cache = new VersionCache<unknown, Result>(maxResults);
    // Asked before the read: a commit between the two only causes another read.
    return (argument = '') => cache.get(dataVersion.get(), argument, () => read(argument));
  };
}
