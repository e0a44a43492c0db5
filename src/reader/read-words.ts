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

/** Words of the whole store that begin so, in order. They too are shown to no one before a visible record was seen to hold them. */
export async function readBeginning(db: Kysely<Tables>, beginning: string): Promise<string[]> {
  const rows = await db
    .selectFrom('lexicon')
    .select('word')
    .where('word', '>=', beginning)
    .where('word', '<', `${beginning}\u{10ffff}`)
    .orderBy('word')
    .execute();
  return rows.map(({ word }) => word);
}
