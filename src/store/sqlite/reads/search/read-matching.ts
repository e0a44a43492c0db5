import { type Kysely, sql } from 'kysely';
import { yieldToEventLoop } from '../../../../limits/yield-to-event-loop.ts';
import type { MatchTerms } from '../../../../words/match-terms.ts';
import type { MatchPart } from '../../../search-reads.ts';
import { writeExpression } from '../../match-expression.ts';
import type { Tables } from '../../tables.ts';
import { groupColumns, readMatches } from './read-matches.ts';
import { readNumbers } from './read-numbers.ts';
import { whereRowVisible } from './visible-rows.ts';

/**
 * Returns the visible records that match: all of them, or where there are more than `most`, the newest by a visible
 * time. Row ids carry a time that may be hidden, so their order never decides which records are returned.
 */
export async function readMatching(
  db: Kysely<Tables>,
  parts: readonly MatchPart[],
  terms: MatchTerms,
  most: number,
): Promise<number[]> {
  const rids: number[] = [];
  for (const group of groupColumns(parts)) {
    const { rows } = await sql<{ rids: string }>`
      select json_group_array(rid) as rids from (
        select x.rowid as rid from texts x where x.texts match ${writeExpression(terms, group.columns)}
          and ${whereRowVisible(group.parts, 'x.rowid')} limit ${most + 1 - rids.length})`.execute(db);
    for (const rid of readNumbers(rows[0]?.rids ?? '')) rids.push(rid);
    await yieldToEventLoop();
    if (rids.length > most) return (await readMatches(db, parts, terms, most)).map(({ rid }) => rid);
  }
  return rids;
}

/** How many visible records match, counted up to a number. */
export async function countMatching(
  db: Kysely<Tables>,
  parts: readonly MatchPart[],
  terms: MatchTerms,
  most: number,
): Promise<number> {
  let count = 0;
  for (const group of groupColumns(parts)) {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from (
        select 1 from texts x where x.texts match ${writeExpression(terms, group.columns)}
          and ${whereRowVisible(group.parts, 'x.rowid')} limit ${most - count})`.execute(db);
    count += rows[0]?.n ?? 0;
    if (count >= most) break;
  }
  await yieldToEventLoop();
  return count;
}
