import type Database from 'better-sqlite3';
import { yieldToEventLoop } from '../../../limits/yield-to-event-loop.ts';
import { dayOf } from '../../records/apply-changes.ts';
import { removeLargeBatch } from '../large/large-records.ts';
import { clearWordCache } from './apply-batch.ts';
import type { WriteConnection } from './write-connection.ts';

/** Rows that are erased by one transaction. */
const MAX_STEP_ROWS = 1_000;
/** Large records may have megabytes each. */
const MAX_STEP_LARGE_RECORDS = 10;

/** Implements `finishRemovals`. A server calls it when it starts. */
export async function finishRemovals(
  store: WriteConnection,
  onProgress: (erased: number) => void = () => {},
  { saveSpace = false }: { readonly saveSpace?: boolean } = {},
): Promise<{ records: number; connectionIds: string[] }> {
  const rows = await store.db.selectFrom('removals').select(['stream_id', 'connection_id']).execute();
  if (rows.length === 0) return { records: 0, connectionIds: [] };
  const streamIds = rows.map(({ stream_id }) => stream_id);
  const records = await eraseStreams(store, streamIds, async (erased) => {
    onProgress(erased);
    // On a full disk the WAL must not grow, so it is truncated after each step.
    if (saveSpace) await store.truncateLog();
  });
  await eraseTraces(store);
  await store.transactSync((raw) => {
    for (const streamId of streamIds) {
      checkErased(raw, streamId);
      raw.prepare('delete from removals where stream_id = ?').run(streamId);
    }
  });
  return { records, connectionIds: [...new Set(rows.map(({ connection_id }) => connection_id))] };
}

function checkErased(raw: Database.Database, streamId: number): void {
  for (const table of ['records', 'facets', 'history', 'large_records', 'deletions', 'days'])
    if (raw.prepare(`select 1 from ${table} where stream_id = ? limit 1`).get(streamId) !== undefined)
      throw new Error(`a removed stream still has rows in ${table}`);
}

/** Erases all rows of some streams in steps, so that others can write in between. It can be interrupted and repeated. */
async function eraseStreams(
  store: WriteConnection,
  streamIds: readonly number[],
  onStep: (erased: number) => Promise<void>,
): Promise<number> {
  let erased = 0;
  for (const streamId of streamIds) {
    // Erases old versions before their records, because versions without a record would look like damage.
    for (const [table, key] of PAST_TABLES) await eraseRows(store, table, key, streamId);
    while ((await store.transactSync((raw) => removeLargeBatch(raw, streamId, MAX_STEP_LARGE_RECORDS))) > 0)
      await yieldToEventLoop();
    for (;;) {
      const n = await store.transactSync((raw) => eraseRecords(raw, streamId));
      if (n === 0) break;
      erased += n;
      await onStep(erased);
      await yieldToEventLoop();
    }
    await eraseRows(store, 'days', 'day', streamId);
  }
  return erased;
}

const PAST_TABLES = [
  ['history', 'key, from_seq'],
  ['deletions', 'key'],
] as const;

async function eraseRows(
  store: WriteConnection,
  table: string,
  key: string,
  streamId: number,
): Promise<void> {
  const sql = `delete from ${table} where stream_id = @id and (${key}) in (select ${key} from ${table} where stream_id = @id limit ${MAX_STEP_ROWS})`;
  while ((await store.transactSync((raw) => raw.prepare(sql).run({ id: streamId }).changes)) > 0)
    await yieldToEventLoop();
}

function eraseRecords(raw: Database.Database, streamId: number): number {
  const rows = raw
    .prepare('select rid, key, t from records where stream_id = ? limit ?')
    .all(streamId, MAX_STEP_ROWS) as { rid: number; key: string; t: number }[];
  const removeText = raw.prepare('delete from texts where rowid = ?');
  const removeFacets = raw.prepare('delete from facets where stream_id = ? and t = ? and key = ?');
  const removeRecord = raw.prepare('delete from records where rid = ?');
  const uncount = raw.prepare('update days set n = n - 1 where stream_id = ? and day = ?');
  for (const { rid, key, t } of rows) {
    removeText.run(rid);
    removeFacets.run(streamId, t, key);
    removeRecord.run(rid);
    uncount.run(streamId, dayOf(t));
  }
  return rows.length;
}

/** Pages of the text index that are merged at a time; some two megabytes. */
const MAX_STEP_PAGES = 500;
/** Longer than any scan takes. */
const LOG_TIMEOUT_MS = 10_000;
const MAX_STEP_WORDS = 2_000;

/**
 * Erases the last traces of records: words in unmerged parts of the text index, spellings that no record has, and pages
 * in the WAL. SQLite overwrites freed pages. Runs in steps, so that others can write in between.
 */
async function eraseTraces(store: WriteConnection): Promise<void> {
  // A negative number starts a merge of the whole index; positive numbers continue it.
  for (let pages = -MAX_STEP_PAGES; ; pages = MAX_STEP_PAGES) {
    const changes = await store.transactSync((raw) => mergeTexts(raw, pages));
    // Fewer than two changes mean that nothing is left to merge.
    if (changes < 2) break;
    await yieldToEventLoop();
  }
  for (let from: number | undefined = 0; from !== undefined; ) {
    const at: number = from;
    from = await store.transactSync((raw) => eraseSpellings(raw, at));
    await yieldToEventLoop();
  }
  await store.truncateLog(LOG_TIMEOUT_MS);
}

function mergeTexts(raw: Database.Database, pages: number): number {
  const count = raw.prepare('select total_changes()').pluck();
  const before = count.get() as number;
  raw.prepare(`insert into texts (texts, rank) values ('merge', ?)`).run(pages);
  return (count.get() as number) - before;
}

/** Erases unused spellings above an id. Returns the last id that was checked; undefined at the end. */
function eraseSpellings(raw: Database.Database, above: number): number | undefined {
  const to = raw
    .prepare('select max(id) from (select id from lexicon where id > ? order by id limit ?)')
    .pluck()
    .get(above, MAX_STEP_WORDS) as number | null;
  if (to === null) return undefined;
  const unused = `id > @above and id <= @to and not exists (select 1 from words where term = word)`;
  // Readers continue after the last id, so the last row stays, without its word.
  raw
    .prepare(`update lexicon set word = '~' || id where ${unused} and id = (select max(id) from lexicon)`)
    .run({ above, to });
  raw
    .prepare(`delete from lexicon where ${unused} and id < (select max(id) from lexicon)`)
    .run({ above, to });
  clearWordCache(raw);
  return to;
}
