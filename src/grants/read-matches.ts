import { type Kysely, sql } from 'kysely';
import type { Condition } from '../schema-index/filter.ts';
import { ridMinute, ridRange } from '../store/rid.ts';
import type { Tables } from '../store/tables.ts';
import { whereConditions } from './conditions-sql.ts';
import { type Scope, visibleColumns, whereVisible } from './scope.ts';

export interface MatchRequest {
  /** A full-text expression made of quoted terms only; the columns are added here. */
  readonly expression: string;
  readonly conditions: readonly Condition[];
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly horizon?: number | undefined;
  readonly limit: number;
}

export interface MatchedRow {
  rid: number;
  key: string;
  t: number;
  data: string;
}

/**
 * The newest visible records of one stream that match, found in granted columns only. Newest, because a
 * common word has more matches than can be ranked and time is something the reader may see; the index's
 * own ranking is never asked, since it counts hidden records.
 */
export async function readMatches(
  db: Kysely<Tables>,
  scope: Scope,
  request: MatchRequest,
): Promise<MatchedRow[]> {
  const columns = visibleColumns(scope);
  if (columns.length === 0) return [];
  const [low, high] = ridRange(scope.stream.streamId);
  const match = `{${columns.map((column) => `c${column}`).join(' ')}} : (${request.expression})`;
  const facets =
    request.conditions.length === 0
      ? sql``
      : sql`join facets f on f.stream_id = r.stream_id and f.t = r.t and f.key = r.key`;
  const { rows } = await sql<MatchedRow>`
    select r.rid as rid, r.key as key, r.t as t, r.data as data
    from texts x join records r on r.rid = x.rowid ${facets}
    where x.texts match ${match} and x.rowid between ${low} and ${high}
      and ${whereVisible(scope, 'r')}
      and ${whereConditions(scope, request.conditions)}
      and ${request.since === undefined ? sql`true` : sql`r.t >= ${request.since}`}
      and ${request.until === undefined ? sql`true` : sql`r.t < ${request.until}`}
      and ${request.horizon === undefined ? sql`true` : sql`r.seq <= ${request.horizon}`}
    order by x.rowid desc limit ${request.limit}`.execute(db);
  return rows;
}

/** Newest first by the minute that row ids carry, which is what bounded each stream's matches too. */
export function newestFirst<T extends { rid: number }>(rows: readonly T[]): T[] {
  return [...rows].sort(
    (a, b) => (ridMinute(b.rid) % 2 ** 26) - (ridMinute(a.rid) % 2 ** 26) || b.rid - a.rid,
  );
}

/** Every word of the index, for finding the ones that a misspelt word may mean. It is not shown to anyone. */
export async function readWords(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{
    term: string;
  }>`select term from words where length(term) between 3 and 40`.execute(db);
  return rows.map((row) => row.term);
}
