import { streamOf } from '../../records/rid.ts';
import type { MatchPart } from '../../search-reads.ts';
import type { OwnerQueries } from '../owner-queries.ts';
import { sql } from '../sql.ts';
import { searchScope, whereAnyPart } from './search-scope.ts';

/** Records that one statement checks. */
const MAX_CHECKED = 5_000;

/** Returns those of the records that are visible and meet the conditions. */
export async function filterVisible(
  db: OwnerQueries,
  parts: readonly MatchPart[],
  rids: readonly number[],
): Promise<readonly number[]> {
  const { limited } = searchScope(parts);
  if (limited.size === 0) return rids;
  const visible = rids.filter((rid) => !limited.has(streamOf(rid)));
  const checked = rids.filter((rid) => limited.has(streamOf(rid)));
  for (let at = 0; at < checked.length; at += MAX_CHECKED) {
    const [row] = await db.query<{ rids: number[] | null }>(sql`
      select array_agg(r.rid) as rids from records r
      where r.rid = any(${checked.slice(at, at + MAX_CHECKED)}::int8[]) and ${whereAnyPart(db, parts)}`);
    for (const rid of row?.rids ?? []) visible.push(rid);
  }
  return visible;
}
