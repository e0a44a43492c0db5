import type Database from 'better-sqlite3';
import { yieldToEventLoop } from '../../../limits/yield-to-event-loop.ts';
import { removeLargePiece } from '../large/large-records.ts';
import { dayOf, forgetKnownWords } from './apply-batch.ts';
import type { WriteConnection } from './write-connection.ts';

const PIECE = 1_000;
/** Large records may have megabytes each. */
const LARGE_PIECE = 10;

/**
 * Erases the streams of all removed connections, down to the last word, and then forgets them. Interrupted, the rest is
 * erased by the next call: a server makes one when it starts. Returns how many records were erased.
 */
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
    // On a full disk the log must not grow: it is written back after each piece.
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

/**
 * Takes everything of some streams out of the store, in pieces, so that others can write in between. Interrupted, it
 * leaves streams with fewer records, and is simply done again.
 */
async function eraseStreams(
  store: WriteConnection,
  streamIds: readonly number[],
  onPiece: (erased: number) => Promise<void>,
): Promise<number> {
  let erased = 0;
  for (const streamId of streamIds) {
    // Versions before their records: the past of a record that is not there would look like damage.
    for (const [table, key] of PAST_TABLES) await eraseRows(store, table, key, streamId);
    while ((await store.transactSync((raw) => removeLargePiece(raw, streamId, LARGE_PIECE))) > 0)
      await yieldToEventLoop();
    for (;;) {
      const n = await store.transactSync((raw) => eraseRecords(raw, streamId));
      if (n === 0) break;
      erased += n;
      await onPiece(erased);
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
  const sql = `delete from ${table} where stream_id = @id and (${key}) in (select ${key} from ${table} where stream_id = @id limit ${PIECE})`;
  while ((await store.transactSync((raw) => raw.prepare(sql).run({ id: streamId }).changes)) > 0)
    await yieldToEventLoop();
}

function eraseRecords(raw: Database.Database, streamId: number): number {
  const rows = raw
    .prepare('select rid, key, t from records where stream_id = ? limit ?')
    .all(streamId, PIECE) as { rid: number; key: string; t: number }[];
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

/** How many pages of the text index are put together at a time; some two megabytes. */
const MERGED_PAGES = 500;
/** Longer than any scan of an app takes. */
const LOG_PATIENCE_MS = 10_000;
const WORDS_PIECE = 2_000;

/**
 * Takes the last traces of erased records out of the files: words that stay in the text index until it is put
 * together anew, spellings that no other record has, and pages in the log. Pages that are given back are
 * overwritten by SQLite itself. In steps, so that others can write in between.
 */
async function eraseTraces(store: WriteConnection): Promise<void> {
  // A number below zero takes all parts of the index into one merge; those above it go on with that.
  for (let pages = -MERGED_PAGES; ; pages = MERGED_PAGES) {
    const changes = await store.transactSync((raw) => mergeTexts(raw, pages));
    // FTS5 says by fewer than two changes that nothing is left to merge.
    if (changes < 2) break;
    await yieldToEventLoop();
  }
  for (let from: number | undefined = 0; from !== undefined; ) {
    const at: number = from;
    from = await store.transactSync((raw) => eraseSpellings(raw, at));
    await yieldToEventLoop();
  }
  await store.truncateLog(LOG_PATIENCE_MS);
}

function mergeTexts(raw: Database.Database, pages: number): number {
  const count = raw.prepare('select total_changes()').pluck();
  const before = count.get() as number;
  raw.prepare(`insert into texts (texts, rank) values ('merge', ?)`).run(pages);
  return (count.get() as number) - before;
}

/** Spellings above an id that no record has any more go. Returns the last id that was looked at; undefined at the end. */
function eraseSpellings(raw: Database.Database, above: number): number | undefined {
  const to = raw
    .prepare('select max(id) from (select id from lexicon where id > ? order by id limit ?)')
    .pluck()
    .get(above, WORDS_PIECE) as number | null;
  if (to === null) return undefined;
  const unused = `id > @above and id <= @to and not exists (select 1 from words where term = word)`;
  // Ids grow for who has read up to the last one, so the last stays, without its word.
  raw
    .prepare(`update lexicon set word = '~' || id where ${unused} and id = (select max(id) from lexicon)`)
    .run({ above, to });
  raw
    .prepare(`delete from lexicon where ${unused} and id < (select max(id) from lexicon)`)
    .run({ above, to });
  forgetKnownWords(raw);
  return to;
}
