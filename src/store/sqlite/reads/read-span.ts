import { type Kysely, sql } from 'kysely';
import { type Scope, whereVisible } from '../scope.ts';
import { NO_TIME, type Tables } from '../tables.ts';

/** The first and the last visible time, from either end of the index. */
export async function readSpan(
  db: Kysely<Tables>,
  scope: Scope,
): Promise<{ first: number; last: number } | undefined> {
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select (select min(f.t) from facets f where ${whereVisible(scope, 'f')} and f.t > ${NO_TIME}) as first,
      (select max(f.t) from facets f where ${whereVisible(scope, 'f')} and f.t > ${NO_TIME}) as last`.execute(
    db,
  );
  const span = rows[0];
  if (span === undefined || span.first === null || span.last === null) return undefined;
  return { first: span.first, last: span.last };
}
