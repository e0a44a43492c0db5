import { type Kysely, sql } from 'kysely';
import { yieldToEventLoop } from '../../../../limits/yield-to-event-loop.ts';
import type { MatchTerms } from '../../../../words/match-terms.ts';
import { type ColumnGroup, groupColumns } from '../../../search/match-order.ts';
import type { MatchPart } from '../../../search-reads.ts';
import type { Tables } from '../../tables.ts';
import { createTemplate, FIRST, readRows, SECOND } from '../../template.ts';
import { readNumbers, whereRowVisible, writeExpression } from './match-sql.ts';
import { readMatches } from './read-matches.ts';

const selectMatching = ({ parts }: ColumnGroup) => sql`
  select x.rowid as rid from texts x where x.texts match ${FIRST}
    and ${whereRowVisible(parts, 'x.rowid')} limit ${SECOND}`;
const listMatching = createTemplate(
  (group: ColumnGroup) => sql`select json_group_array(rid) as rids from (${selectMatching(group)})`,
);
const countMatches = createTemplate(
  (group: ColumnGroup) => sql`select count(*) as n from (${selectMatching(group)})`,
);

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
    const expression = writeExpression(terms, group.columns);
    const [row] = readRows<{ rids: string }>(db, listMatching(group, expression, limit + 1 - rids.length));
    for (const rid of readNumbers(row?.rids ?? '')) rids.push(rid);
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
    const expression = writeExpression(terms, group.columns);
    count += readRows<{ n: number }>(db, countMatches(group, expression, limit - count))[0]?.n ?? 0;
    if (count >= limit) break;
  }
  await yieldToEventLoop();
  return count;
}
