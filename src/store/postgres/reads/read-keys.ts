import type { KeyRange } from '../../record-reads.ts';
import type { Scope } from '../../scope.ts';
import type { OwnerQueries } from '../owner-queries.ts';
import { type Sql, sql } from '../sql.ts';
import { whereVisible } from './scope-sql.ts';

/** Returns the first keys of visible records in a range, in order. */
export async function readKeys(
  db: OwnerQueries,
  scope: Scope,
  range: KeyRange,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ key: string }>(sql`
    select r.key from records r where ${whereVisible(db, scope, 'r')} and ${inRange(range, sql`r.key`)}
    order by r.key limit ${limit}`);
  return rows.map((row) => row.key);
}

export function inRange({ after, from, below }: KeyRange, key: Sql): Sql {
  const bounds: Sql[] = [];
  if (after !== undefined) bounds.push(sql`${key} > ${after}`);
  if (from !== undefined) bounds.push(sql`${key} >= ${from}`);
  if (below !== undefined) bounds.push(sql`${key} < ${below}`);
  return bounds.length === 0 ? sql`true` : sql.join(bounds, sql` and `);
}
