import type { CompiledQuery, Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

const queries = new WeakMap<object, CompiledQuery<{ value: number }>>();

/**
 * The number of the latest change in the store: where a new session of changes begins. Asked many times in one call,
 * by whatever is kept until something is stored, so the query is built once.
 */
export async function readHorizon(db: Kysely<Tables>): Promise<number> {
  let query = queries.get(db);
  if (query === undefined) {
    query = db.selectFrom('counters').select('value').where('name', '=', 'seq').compile();
    queries.set(db, query);
  }
  const { rows } = await db.executeQuery(query);
  return (rows[0] as { value: number }).value;
}
