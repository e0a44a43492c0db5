import type { Kysely } from 'kysely';
import type { Tables } from '../store/tables.ts';

/**
 * Words of the whole store in the order in which they were first seen, for finding the ones that a misspelt
 * word may mean. They are shown to no one: what occurs in no visible record is left out later.
 */
export function readWords(
  db: Kysely<Tables>,
  after: number,
  limit: number,
): Promise<{ id: number; word: string }[]> {
  return db
    .selectFrom('lexicon')
    .select(['id', 'word'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}
