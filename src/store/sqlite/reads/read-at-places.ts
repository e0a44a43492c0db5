import { type Kysely, sql } from 'kysely';
import { type Scope, whereVisible } from '../scope.ts';
import type { Tables } from '../tables.ts';
import { storedVersion } from './long/bound-record.ts';
import type { NewestPlace } from './read-newest.ts';

/** What lies at some of these places, in no order; few enough for one statement. */
export async function readAtPlaces(
  db: Kysely<Tables>,
  scopes: readonly Scope[],
  places: readonly NewestPlace[],
): Promise<{ at: number; key: string; version: string }[]> {
  const parts = [...new Set(places.map((place) => place.at))].map((at) => {
    const keys = places.filter((place) => place.at === at).map((place) => place.key);
    const scope = scopes[at] as Scope;
    return sql`select ${sql.lit(at)} as at, r.key as key, ${storedVersion('r')} as version from records r
      where ${whereVisible(scope, 'r')} and r.key in (select value from json_each(${JSON.stringify(keys)}))`;
  });
  if (parts.length === 0) return [];
  const { rows } = await sql<{
    at: number;
    key: string;
    version: string;
  }>`${sql.join(parts, sql` union all `)}`.execute(db);
  return rows;
}
