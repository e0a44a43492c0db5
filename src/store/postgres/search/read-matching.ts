import type { MatchTerms } from '../../../words/match-terms.ts';
import type { MatchPart } from '../../search-reads.ts';
import type { OwnerQueries } from '../owner-queries.ts';
import { filterVisible } from './filter-visible.ts';
import type { SnapshotDatabase } from './join-snapshots.ts';
import { matchPages } from './match-pages.ts';
import { splitTerms, type WantedLists } from './match-words.ts';
import { readMatches } from './read-matches.ts';
import { searchScope, wordScope } from './search-scope.ts';
import { wordCache } from './word-cache.ts';

/** Counts visible records that match, up to `limit`. */
export async function countMatching(
  database: SnapshotDatabase,
  parts: readonly MatchPart[],
  terms: MatchTerms,
  limit: number,
): Promise<number> {
  const rids = await collect(database, parts, splitTerms(terms), limit);
  return Math.min(limit, rids.length);
}

/**
 * Returns all visible records that match, or the newest by a visible time if there are more than `limit`. Row ids carry
 * a time that may be hidden, so their order never decides which records are returned.
 */
export async function readMatching(
  database: SnapshotDatabase,
  parts: readonly MatchPart[],
  terms: MatchTerms,
  limit: number,
): Promise<number[]> {
  const rids = await collect(database, parts, splitTerms(terms), limit + 1);
  if (rids.length <= limit) return rids;
  return (await readMatches(database, parts, terms, limit)).map(({ rid }) => rid);
}

/** Returns visible records that match: all, or at least `enough` of them. */
async function collect(
  database: SnapshotDatabase,
  parts: readonly MatchPart[],
  lists: WantedLists,
  enough: number,
): Promise<number[]> {
  if (isOneStatement(parts, lists)) {
    const { masks } = searchScope(parts);
    const cache = wordCache(database, parts);
    for await (const { rids, low } of matchPages(wordScope(database, parts), lists, masks, cache)) {
      if (low === 0 || rids.length >= enough) return [...rids];
      break;
    }
  }
  // Several statements need one snapshot: a record may change or move between segments and blocks.
  return database.snapshot((queries) =>
    collectPages({ ...queries, ownerId: database.ownerId }, parts, lists, enough),
  );
}

/** Returns whether one statement reads the first page: every record of the streams is visible, and no term is a prefix. */
function isOneStatement(parts: readonly MatchPart[], lists: WantedLists): boolean {
  return searchScope(parts).limited.size === 0 && !lists.flat(2).some(({ isPrefix }) => isPrefix);
}

async function collectPages(
  db: OwnerQueries,
  parts: readonly MatchPart[],
  lists: WantedLists,
  enough: number,
): Promise<number[]> {
  const found: number[] = [];
  for await (const { rids } of matchPages(wordScope(db, parts), lists, searchScope(parts).masks)) {
    for (const rid of await filterVisible(db, parts, rids)) found.push(rid);
    if (found.length >= enough) break;
  }
  return found;
}
