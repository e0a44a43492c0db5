import { type Kysely, sql } from 'kysely';
import { yieldToEventLoop } from '../../../../limits/yield-to-event-loop.ts';
import type { MatchTerms } from '../../../../words/match-terms.ts';
import type { MatchPart } from '../../../search-reads.ts';
import type { Tables } from '../../tables.ts';
import { readNumbers, whereRowVisible, writeExpression } from './match-sql.ts';
import { groupColumns, readMatches } from './read-matches.ts';

/**
 * Returns all visible records that match, or the newest by a visible time if there are more than `limit`. Row ids carry
 * a time that may be hidden, so their order never decides which records are returned.
 */
export async function readMatching(
  db: Kysely<Tables>,
  parts: readonly MatchPart[],
  terms: MatchTerms,
  limit: number,
): Promise<number[]> {
  const rids: number[] = [];
  for (const group of groupColumns(parts)) {
    const { rows } = await sql<{ rids: string }>`
      select json_group_array(rid) as rids from (
        select x.rowid as rid from texts x where x.texts match ${writeExpression(terms, group.columns)}
          and ${whereRowVisible(group.parts, 'x.rowid')} limit ${limit + 1 - rids.length})`.execute(db);
    for (const rid of readNumbers(rows[0]?.rids ?? '')) rids.push(rid);
    await yieldToEventLoop();
    if (rids.length > limit) return (await readMatches(db, parts, terms, limit)).map(({ rid }) => rid);
  }
  return rids;
}

/** Counts visible records that match, up to `limit`. */
export async function countMatching(
  db: Kysely<Tables>,
  parts: readonly MatchPart[],
  terms: MatchTerms,
  limit: number,
): Promise<number> {
  let count = 0;
  for (const group of groupColumns(parts)) {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from (
        select 1 from texts x where x.texts match ${writeExpression(terms, group.columns)}
          and ${whereRowVisible(group.parts, 'x.rowid')} limit ${limit - count})`.execute(db);
    count += rows[0]?.n ?? 0;
    if (count >= limit) break;
  }
  await yieldToEventLoop();
  return count;
}
