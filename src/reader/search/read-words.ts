import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../store/sqlite/tables.ts';

/**
 * Words of the whole store in the order in which they were first seen, for finding the ones that a misspelt
 * word may mean. They are shown to no one: what occurs in no visible record is left out later.
 */
export async function readWords(
  db: Kysely<Tables>,
  after: number,
  limit: number,
): Promise<{ words: string[]; last: number }> {
  // As one text, because ten thousand rows cost more on their way than in the database. No word has a line's end in it.
  const { rows } = await sql<{ words: string | null; last: number | null }>`
    select group_concat(word, char(10)) as words, max(id) as last
    from (select id, word from lexicon where id > ${after} order by id limit ${limit})`.execute(db);
  const [piece] = rows;
  return { words: piece?.words?.split('\n') ?? [], last: piece?.last ?? after };
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
