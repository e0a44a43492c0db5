import { yieldToEventLoop } from '../../../limits/yield-to-event-loop.ts';
import type { MatchTerms } from '../../../words/match-terms.ts';
import { minuteOf, minuteOfRid, minuteStart } from '../../records/rid.ts';
import { type Compare, mergeGroups, type PartGroup } from '../../search/match-order.ts';
import type { MatchedRow, MatchPart } from '../../search-reads.ts';
import { NO_TIME } from '../../values.ts';
import type { PostgresDatabase } from '../database.ts';
import type { OwnerQueries } from '../owner-queries.ts';
import { sql } from '../sql.ts';
import { matchPages } from './match-pages.ts';
import { splitTerms, type WantedLists } from './match-words.ts';
import { searchScope, whereAnyPart, wordScope } from './search-scope.ts';

/** Records that one statement reads at least and at most. */
const MIN_STEP_RECORDS = 64;
const MAX_STEP_RECORDS = 4_096;

/**
 * Returns up to `limit` visible records that match in granted columns: the newest by a granted time, then those without
 * one; ties by part, then by key.
 */
export async function readMatches(
  database: PostgresDatabase,
  parts: readonly MatchPart[],
  terms: MatchTerms,
  limit: number,
): Promise<MatchedRow[]> {
  const lists = splitTerms(terms);
  return database.snapshot((queries) => {
    const db = { ...queries, ownerId: database.ownerId };
    return mergeGroups(parts, limit, (group, compare) =>
      group.order === 'key'
        ? readByKey(db, group, lists, limit, compare)
        : readBack(db, group, lists, limit, compare),
    );
  });
}

async function readByKey(
  db: OwnerQueries,
  { parts }: PartGroup,
  lists: WantedLists,
  limit: number,
  compare: Compare,
): Promise<MatchedRow[]> {
  let best: MatchedRow[] = [];
  for await (const { rids } of matchPages(wordScope(db, parts), lists, searchScope(parts).masks))
    for (let at = 0; at < rids.length; at += MAX_STEP_RECORDS) {
      best.push(...(await readRows(db, parts, rids.slice(at, at + MAX_STEP_RECORDS))));
      best = best.sort(compare).slice(0, limit);
      await yieldToEventLoop();
    }
  return best;
}

/**
 * Reads matches backwards by the minutes in row ids. If a minute is full, a record gets a later one, never an earlier
 * one. So unread records are older than the minutes that were read completely.
 */
async function readBack(
  db: OwnerQueries,
  { parts, order }: PartGroup,
  lists: WantedLists,
  limit: number,
  compare: Compare,
): Promise<MatchedRow[]> {
  let best: MatchedRow[] = [];
  const timeless: MatchedRow[] = [];
  /** Whether all records that are needed have a row id of at least `reached`. */
  const isEnough = (reached: number): boolean => {
    const minute = minuteOfRid(reached) + (minuteStart(minuteOfRid(reached)) < reached ? 1 : 0);
    const last = best[limit - 1];
    if (last !== undefined && minuteOf(last.t, last.key) >= minute) return true;
    const lastTimeless = timeless[limit - 1];
    return order === 'rid' && lastTimeless !== undefined && minuteOfRid(lastTimeless.rid) >= minute;
  };
  const step = Math.min(MAX_STEP_RECORDS, Math.max(MIN_STEP_RECORDS, limit));
  for await (const { rids, low } of matchPages(wordScope(db, parts), lists, searchScope(parts).masks)) {
    const sorted = rids.toSorted((a, b) => b - a);
    for (let at = 0; at < sorted.length; at += step) {
      const some = sorted.slice(at, at + step);
      const rows = await readRows(db, parts, some);
      for (const row of rows.sort((a, b) => b.rid - a.rid)) {
        if (row.t !== NO_TIME) best.push(row);
        else if (canAdd(timeless, limit, row)) timeless.push(row);
      }
      best = best.sort(compare).slice(0, limit);
      if (isEnough(some.at(-1) as number)) return [...best, ...timeless];
      await yieldToEventLoop();
    }
    if (isEnough(low)) break;
  }
  return [...best, ...timeless];
}

/**
 * Returns whether a record without a time is needed. Row ids within a minute are in the order of writing, so the last
 * minute is completed.
 */
function canAdd(found: readonly MatchedRow[], limit: number, { rid }: { rid: number }): boolean {
  const last = found[limit - 1];
  return last === undefined || minuteOfRid(last.rid) === minuteOfRid(rid);
}

function readRows(
  db: OwnerQueries,
  parts: readonly MatchPart[],
  rids: readonly number[],
): Promise<MatchedRow[]> {
  return db.query<MatchedRow>(sql`
    select r.rid, r.stream_id, r.key, r.t, r.size from records r
    where r.rid = any(${rids}::int8[]) and ${whereAnyPart(db, parts)}`);
}
