import { dayOf } from '../../records/apply-changes.ts';
import type { WriteDatabase } from '../database.ts';
import type { OwnerQueries } from '../owner-queries.ts';
import type { WordIndex } from '../search/word-index.ts';
import { type Sql, sql } from '../sql.ts';
import { removeLargeRecords } from './large-records.ts';
import { addDays } from './write-rows.ts';

/** The number of rows that one transaction erases. */
const MAX_STEP_ROWS = 1_000;
/** Lower, because a large record can have megabytes. */
const MAX_STEP_LARGE_RECORDS = 10;

/** Implements `finishRemovals`. A server calls it when it starts. */
export async function finishRemovals(
  database: WriteDatabase,
  words: WordIndex,
  onProgress: (erased: number) => void = () => {},
): Promise<{ records: number; connectionIds: string[] }> {
  const { ownerId } = database;
  const removals = await database.query<{ stream_id: number; connection_id: string }>(
    sql`select stream_id, connection_id from removals where owner_id = ${ownerId} order by stream_id`,
  );
  let records = 0;
  for (const { stream_id } of removals) {
    records += await eraseStream(database, words, stream_id, (erased) => onProgress(records + erased));
  }
  if (removals.length > 0) await words.eraseUnusedSpellings();
  for (const { stream_id } of removals)
    await database.transact(async (queries) => {
      await checkErased({ ...queries, ownerId }, stream_id);
      await queries.run(sql`delete from removals where owner_id = ${ownerId} and stream_id = ${stream_id}`);
    });
  return { records, connectionIds: [...new Set(removals.map(({ connection_id }) => connection_id))] };
}

/** Erases all rows of a stream in steps, so that others can write in between. It can be interrupted and repeated. */
async function eraseStream(
  database: WriteDatabase,
  words: WordIndex,
  streamId: number,
  onStep: (erased: number) => void,
): Promise<number> {
  const step = (work: (db: OwnerQueries) => Promise<number>) =>
    database.transact((queries) => work({ ...queries, ownerId: database.ownerId }));
  const repeatUntilEmpty = async (
    work: (db: OwnerQueries) => Promise<number>,
    each?: (n: number) => void,
  ) => {
    for (let n = await step(work); n > 0; n = await step(work)) each?.(n);
  };
  // Versions before their records: versions without a record would look like damage.
  await repeatUntilEmpty((db) => eraseBatch(db, 'history', sql`key, from_seq`, streamId));
  await repeatUntilEmpty((db) => eraseBatch(db, 'deletions', sql`key`, streamId));
  await repeatUntilEmpty((db) =>
    removeLargeRecords(
      db,
      sql`stream_id = ${streamId} and seq in (select seq from large_records
        where owner_id = ${db.ownerId} and stream_id = ${streamId} limit ${MAX_STEP_LARGE_RECORDS})`,
    ),
  );
  await words.eraseStream(streamId);
  let erased = 0;
  await repeatUntilEmpty(
    (db) => eraseRecords(db, streamId),
    (n) => {
      erased += n;
      onStep(erased);
    },
  );
  await repeatUntilEmpty((db) => eraseBatch(db, 'days', sql`day`, streamId));
  return erased;
}

function eraseBatch(db: OwnerQueries, table: string, key: Sql, streamId: number): Promise<number> {
  const tableName = sql.raw(table);
  return db.run(sql`delete from ${tableName} where owner_id = ${db.ownerId} and stream_id = ${streamId} and (${key}) in (
    select ${key} from ${tableName} where owner_id = ${db.ownerId} and stream_id = ${streamId} limit ${MAX_STEP_ROWS})`);
}

async function eraseRecords(db: OwnerQueries, streamId: number): Promise<number> {
  const rows = await db.query<{ t: number }>(sql`
    delete from records where owner_id = ${db.ownerId} and stream_id = ${streamId} and key in (
      select key from records where owner_id = ${db.ownerId} and stream_id = ${streamId} limit ${MAX_STEP_ROWS})
    returning t`);
  const days = new Map<number, number>();
  for (const { t } of rows) days.set(dayOf(t), (days.get(dayOf(t)) ?? 0) - 1);
  await addDays(db, streamId, days);
  return rows.length;
}

async function checkErased(db: OwnerQueries, streamId: number): Promise<void> {
  for (const table of ['records', 'history', 'large_records', 'deletions', 'days']) {
    const found = await db.query(sql`select 1 as found from ${sql.raw(table)}
      where owner_id = ${db.ownerId} and stream_id = ${streamId} limit 1`);
    if (found.length > 0) throw new Error(`a removed stream still has rows in ${table}`);
  }
}
