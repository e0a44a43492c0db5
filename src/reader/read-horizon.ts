import type { Kysely } from 'kysely';
import type { Tables } from '../store/tables.ts';

/** The number of the latest change in the store: where a new session of changes begins. */
export async function readHorizon(db: Kysely<Tables>): Promise<number> {
  const row = await db
    .selectFrom('counters')
    .select('value')
    .where('name', '=', 'seq')
    .executeTakeFirstOrThrow();
  return row.value;
}
