import { type Kysely, sql } from 'kysely';
import { type Scope, whereVisible } from '../scope.ts';
import { NO_TIME, type Tables } from '../tables.ts';

/** A record by its place in a list of scopes. */
export interface NewestPlace {
  readonly at: number;
  readonly t: number;
  readonly key: string;
}

/** How many streams one statement looks into; the database takes no more than 500. */
const MOST_TOGETHER = 200;

/** The newest few records of each of many streams that lie in order of a visible time: each from an end of the index. */
export async function readNewest(
  db: Kysely<Tables>,
  scopes: readonly Scope[],
  most: number,
): Promise<NewestPlace[]> {
  const found: NewestPlace[] = [];
  for (let from = 0; from < scopes.length; from += MOST_TOGETHER) {
    const parts = scopes.slice(from, from + MOST_TOGETHER).map(
      (scope, index) => sql`select * from (
        select ${sql.lit(from + index)} as at, f.t as t, f.key as key from facets f
        where ${whereVisible(scope, 'f')} and f.t > ${NO_TIME} order by f.t desc, f.key desc limit ${most})`,
    );
    const { rows } = await sql<NewestPlace>`${sql.join(parts, sql` union all `)}`.execute(db);
    found.push(...rows);
  }
  return found;
}
