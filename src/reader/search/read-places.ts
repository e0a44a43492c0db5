import { type Kysely, sql } from 'kysely';
import { giveTurn } from '../../limits/give-turn.ts';
import { streamOf } from '../../store/sqlite/rid.ts';
import type { Tables } from '../../store/sqlite/tables.ts';
import type { MatchPart } from './read-matches.ts';
import { readNumbers } from './read-numbers.ts';
import { columnsOf, whereRowVisible } from './visible-rows.ts';

/** A word of the index as it stands there, or every word that begins so. */
export interface Spelling {
  readonly word: string;
  readonly isBeginning: boolean;
}

/** Where words stand: lists side by side, a record's row id, the text column and the place in it. */
export interface Places {
  readonly rids: ArrayLike<number>;
  readonly columns: ArrayLike<number>;
  readonly offsets: ArrayLike<number>;
}

/** Every place where a word stands in a visible column of a visible record. No text is read for it. */
export async function readPlaces(
  db: Kysely<Tables>,
  parts: readonly MatchPart[],
  { word, isBeginning }: Spelling,
): Promise<Places> {
  const term = isBeginning
    ? sql`v.term >= ${word} and v.term < ${`${word}\u{10ffff}`}`
    : sql`v.term = ${word}`;
  // As lists of numbers, because thousands of rows cost more on their way than in the database.
  const { rows } = await sql<{ rids: string; columns: string; offsets: string }>`
    select json_group_array(v.doc) as rids, json_group_array(v.col) as columns, json_group_array(v.offset) as offsets
    from places v where ${term} and ${whereRowVisible(parts, 'v.doc')}`.execute(db);
  const rids = readNumbers(rows[0]?.rids ?? '');
  const columns = readNumbers(rows[0]?.columns ?? '');
  const offsets = readNumbers(rows[0]?.offsets ?? '');
  await giveTurn();
  return keepColumns(parts, { rids, columns, offsets });
}

/** Leaves out what stands in columns that are not granted. */
function keepColumns(parts: readonly MatchPart[], found: Places): Places {
  const { visible, hidesSome } = columnsOf(parts);
  if (!hidesSome) return found;
  const at: number[] = [];
  for (let place = 0; place < found.rids.length; place++)
    if (visible.get(streamOf(found.rids[place] as number))?.has(found.columns[place] as number) === true)
      at.push(place);
  const pick = (list: ArrayLike<number>) => at.map((place) => list[place] as number);
  return { rids: pick(found.rids), columns: pick(found.columns), offsets: pick(found.offsets) };
}
