import type { BatchStore } from '../../batches.ts';
import type { TextChange } from '../../postings/collect-words.ts';
import { recordTexts } from '../../postings/record-texts.ts';
import { createPlannedLayout, type IndexRow } from '../../records/slots.ts';
import { decodeJson } from '../json-text.ts';
import type { OwnerQueries } from '../owner-queries.ts';
import { countWords, type WordIndex } from '../search/word-index.ts';
import { slotNumbers, toSlot } from '../slot-values.ts';
import { sql } from '../sql.ts';
import { readPlan, readTextPlan } from './load-rows.ts';

const MAX_STEP_RECORDS = 500;

/** Writes slots and texts of stored records again after the plan of their stream has grown. */
export async function reindexRecords(
  db: OwnerQueries,
  words: WordIndex,
  streamId: number,
  index: Parameters<BatchStore['reindex']>[1],
): Promise<number> {
  const { plan } = await readPlan(db, streamId);
  const layOut = createPlannedLayout(plan);
  const textPlan = readTextPlan(plan);
  let [count, after] = [0, ''];
  for (;;) {
    const rows = await db.query<{ key: string; rid: number; data: string }>(sql`
      select key, rid, data from records
      where owner_id = ${db.ownerId} and stream_id = ${streamId} and key > ${after}
      order by key limit ${MAX_STEP_RECORDS}`);
    const last = rows.at(-1);
    if (last === undefined) return count;
    const changes: TextChange[] = [];
    const indexed = rows.map(({ rid, data }): IndexRow => {
      const json = decodeJson(data);
      const row = layOut(index(JSON.parse(json) as Record<string, unknown>));
      const before = [recordTexts(textPlan, json)];
      changes.push({ rid, before, after: row.hasTexts ? row.texts : undefined });
      return row;
    });
    await writeSlots(
      db,
      streamId,
      rows.map(({ key }) => key),
      indexed,
    );
    await words.write(streamId, changes);
    [count, after] = [count + rows.length, last.key];
  }
}

async function writeSlots(
  db: OwnerQueries,
  streamId: number,
  keys: readonly string[],
  indexed: readonly IndexRow[],
): Promise<void> {
  const columns = slotNumbers.flatMap((slot) => {
    const values = indexed.map(({ slots }) => toSlot(slots[slot] ?? null));
    return [sql`${values.map(({ n }) => n)}::float8[]`, sql`${values.map(({ t }) => t)}::text[]`];
  });
  columns.push(sql`${indexed.map(({ texts }) => countWords(texts))}::bytea[]`);
  const names = [...slotNumbers.flatMap((slot) => [`s${slot}n`, `s${slot}t`]), 'word_counts'];
  await db.run(sql`update records r set ${sql.raw(names.map((name) => `${name} = c.${name}`).join(', '))}
    from unnest(${keys}::text[], ${sql.join(columns)}) as c (key, ${sql.raw(names.join(', '))})
    where r.owner_id = ${db.ownerId} and r.stream_id = ${streamId} and r.key = c.key`);
}
