import { isUnrestricted, visibleColumns } from '../../records/visible-part.ts';
import type { MatchPart } from '../../search-reads.ts';
import type { OwnerQueries } from '../owner-queries.ts';
import { whereConditions, whereVisible } from '../reads/scope-sql.ts';
import { type Sql, sql } from '../sql.ts';
import type { WordScope } from './read-words.ts';
import type { ColumnMasks } from './word-postings.ts';

/** The streams of a search, and the columns of the index that each may match. */
export interface SearchScope {
  readonly masks: ColumnMasks;
  readonly streamIds: readonly number[];
  /** Streams with hidden records or conditions: each record found by the index is checked. */
  readonly limited: ReadonlySet<number>;
}

/** Cached, because every word of a search needs the same scope. */
const scopes = new WeakMap<readonly MatchPart[], SearchScope>();

export function searchScope(parts: readonly MatchPart[]): SearchScope {
  const known = scopes.get(parts) ?? makeScope(parts);
  scopes.set(parts, known);
  return known;
}

function makeScope(parts: readonly MatchPart[]): SearchScope {
  const masks = new Map<number, number>();
  for (const { scope } of parts) {
    const mask = visibleColumns(scope).reduce((bits, column) => bits | (1 << column), 0);
    if (mask !== 0) masks.set(scope.stream.streamId, mask);
  }
  const limited = parts.filter(({ scope, conditions }) => !isUnrestricted(scope) || conditions.length > 0);
  return {
    masks,
    streamIds: [...masks.keys()],
    limited: new Set(limited.map(({ scope }) => scope.stream.streamId)),
  };
}

/** Returns the streams of a search for reading the index. */
export function wordScope(db: OwnerQueries, parts: readonly MatchPart[]): WordScope {
  return { queries: db, ownerId: db.ownerId, streamIds: searchScope(parts).streamIds };
}

/** The condition that a record `r` is visible and meets its conditions. */
export function whereAnyPart(db: OwnerQueries, parts: readonly MatchPart[]): Sql {
  const { limited } = searchScope(parts);
  const isLimited = ({ scope }: MatchPart) => limited.has(scope.stream.streamId);
  const free = parts.filter((part) => !isLimited(part)).map(({ scope }) => scope.stream.streamId);
  const tests = parts
    .filter(isLimited)
    .map(
      ({ scope, conditions }) =>
        sql`(${whereVisible(db, scope, 'r')} and ${whereConditions(db, scope, conditions)})`,
    );
  return sql`r.owner_id = ${db.ownerId} and (${sql.join([sql`r.stream_id = any(${free}::int4[])`, ...tests], sql` or `)})`;
}
