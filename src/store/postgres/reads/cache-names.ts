import { VersionCache } from '../../../limits/cache.ts';
import { findVersions } from '../../../limits/call-context.ts';
import type { NamedKey, RecordReads } from '../../record-reads.ts';
import type { Scope } from '../../scope.ts';
import type { OwnerQueries } from '../owner-queries.ts';
import { readNames } from './read-named.ts';

/** Lists of keys whose names are cached for each scope. */
const MAX_LISTS = 200;
const MAX_LIST_KEYS = 50;

/**
 * Reads names, and caches them until something is stored: every page shows the names of the same few accounts or people.
 * A scope belongs to one grant, so that grants do not see each other's effects.
 */
export function cacheNames(db: OwnerQueries): RecordReads['names'] {
  /** A scope lives as long as the reader of its grant. */
  const caches = new WeakMap<Scope, VersionCache<number, NamedKey[]>>();
  return (scope, field, keys) => {
    const versions = findVersions();
    if (versions === undefined || keys.length > MAX_LIST_KEYS) return readNames(db, scope, field, keys);
    const cache = caches.get(scope) ?? new VersionCache<number, NamedKey[]>(MAX_LISTS);
    caches.set(scope, cache);
    return cache.get(versions.horizon, JSON.stringify([field.name, keys]), () =>
      readNames(db, scope, field, keys),
    );
  };
}
