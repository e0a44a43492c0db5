import type Database from 'better-sqlite3';
import { giveTurn } from '../limits/give-turn.ts';
import { forgetKnownWords } from './apply-batch.ts';
import type { WriteStore } from './open-store.ts';

const PIECE = 1_000;

/**
 * Takes everything of some streams out of the store, in pieces, so that others can write in between. Interrupted, it
 * leaves streams with fewer records, and is simply done again.
 */
export async function eraseStreams(
  store: WriteStore,
  streamIds: readonly number[],
  onProgress: (erased: number) => void = () => {},
): Promise<number> {
  let erased = 0;
  for (const streamId of streamIds) {
    for (;;) {
      const n = await store.transactAtOnce((raw) => eraseRecords(raw, streamId));
      if (n === 0) break;
      erased += n;
      onProgress(erased);
      await giveTurn();
    }
    for (const table of ['history', 'deletions', 'days'] as const) {
      const key = table === 'history' ? 'key, from_seq' : table === 'deletions' ? 'key' : 'day';
      const sql = `delete from ${table} where stream_id = @id and (${key}) in (select ${key} from ${table} where stream_id = @id limit ${PIECE})`;
      while ((await store.transactAtOnce((raw) => raw.prepare(sql).run({ id: streamId }).changes)) > 0)
        await giveTurn();
    }
  }
  return erased;
}

function eraseRecords(raw: Database.Database, streamId: number): number {
  const rows = raw
    .prepare('select rid, key, t from records where stream_id = ? limit ?')
    .all(streamId, PIECE) as { rid: number; key: string; t: number }[];
  const removeText = raw.prepare('delete from texts where rowid = ?');
  const removeFacets = raw.prepare('delete from facets where stream_id = ? and t = ? and key = ?');
  const removeRecord = raw.prepare('delete from records where rid = ?');
  for (const { rid, key, t } of rows) {
    removeText.run(rid);
    removeFacets.run(streamId, t, key);
    removeRecord.run(rid);
  }
  return rows.length;
}

/**
 * Takes the last traces of erased records out of the files: words that stay in the text index until it is put
 * together anew, spellings that no other record has, and pages in the log. Pages that are given back are
 * overwritten by SQLite itself.
 */
export async function eraseTraces(store: WriteStore): Promise<void> {
  await store.transactAtOnce((raw) => {
    raw.exec(`insert into texts (texts) values ('optimize')`);
    raw.exec(`
      create temp table kept_words as select term from words;
      create unique index temp.kept_words_term on kept_words (term);
      -- Ids grow for who has read up to the last one, so the last stays, without its word.
      delete from lexicon where word not in (select term from kept_words) and id < (select max(id) from lexicon);
      update lexicon set word = '~' || id
        where id = (select max(id) from lexicon) and word not in (select term from kept_words);
      drop table kept_words;
    `);
    forgetKnownWords(raw);
  });
  await store.scrub();
}
