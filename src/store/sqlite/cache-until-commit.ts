import type Database from 'better-sqlite3';
import { VersionCache } from '../../limits/cache.ts';

/** Returns a read whose results are cached by argument until another connection commits. */
export type CacheUntilCommit = <Result>(
  maxResults: number,
  read: (argument: string) => Promise<Result>,
) => (argument: string) => Promise<Result>;

/**
 * Every request reads its token, its grant and the version of the catalog. SQLite can tell whether anything was committed
 * for a tenth of that cost. The connection must be one that never writes, because its own commits do not count.
 */
export function createCommitCache(raw: Database.Database): CacheUntilCommit {
  const dataVersion = raw.prepare('pragma data_version').pluck();
  return <Result>(maxResults: number, read: (argument: string) => Promise<Result>) => {
    const cache = new VersionCache<unknown, Result>(maxResults);
    // Asked before the read: a commit between the two only causes another read.
    return (argument) => cache.get(dataVersion.get(), argument, () => read(argument));
  };
}
