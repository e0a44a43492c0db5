import type { WriteDatabase } from '../database.ts';
import { sql } from '../sql.ts';
import { ERASURES } from './lexicon.ts';
import { mergeWords } from './merge-words.ts';

/** The number of rows that one transaction reads. */
const STEP_ROWS = 5_000;

/** Erases all words of a stream, in steps, so that others can write in between. It can be interrupted and repeated. */
export async function eraseStreamWords(database: WriteDatabase, streamId: number): Promise<void> {
  const owner = database.ownerId;
  await database.run(sql`delete from word_segments where owner_id = ${owner} and stream_id = ${streamId}`);
  let after: string | undefined = '';
  while (after !== undefined) {
    // Steps through all words, because the blocks of a stream are not next to each other.
    const rows: { last: string | null }[] = await database.query(sql`
      with step as (
        select term from word_blocks where owner_id = ${owner} and term > ${after}
        order by term limit ${STEP_ROWS}),
      erased as (
        delete from word_blocks where owner_id = ${owner} and stream_id = ${streamId}
          and term > ${after} and term <= (select max(term) from step))
      select max(term) as last from step`);
    after = rows[0]?.last ?? undefined;
  }
}

/** Erases the spellings that no record has. */
export async function eraseUnusedSpellings(database: WriteDatabase): Promise<void> {
  const owner = database.ownerId;
  await mergeWords(database);
  let after: number | undefined = 0;
  while (after !== undefined) {
    const from: number = after;
    after = await database.transact(async (queries) => {
      const [step] = await queries.query<{ last: number | null }>(sql`
        select max(id) as last from (
          select id from lexicon where owner_id = ${owner} and id > ${from} order by id limit ${STEP_ROWS}) step`);
      const last = step?.last ?? undefined;
      if (last === undefined) return undefined;
      const erased = await queries.run(sql`
        delete from lexicon l where owner_id = ${owner} and id > ${from} and id <= ${last}
          and not exists (select 1 from word_blocks b where b.owner_id = ${owner} and b.term = l.word)
          and not exists (select 1 from word_segments where owner_id = ${owner})`);
      // Tells every process to clear its cache of stored words.
      if (erased > 0)
        await queries.run(sql`insert into counters (owner_id, name, value) values (${owner}, ${ERASURES}, 1)
          on conflict (owner_id, name) do update set value = counters.value + 1`);
      return last;
    });
  }
}
