import type Database from 'better-sqlite3';
import { indexText, MAX_POSITIONED_WORDS, searchText } from '../../../words/index-text.ts';
import { TEXT_COLUMNS } from '../../scope.ts';
import { Lexicon } from './lexicon.ts';

const columns = Array.from({ length: TEXT_COLUMNS }, (_, i) => `c${i}`);
const BATCH_RECORDS = 1_000;
const REPORT_INTERVAL_RECORDS = 50_000;

/**
 * Rebuilds the full-text index and the table of spellings from the stored records. Needed whenever the tokenizer
 * changes. Records are read one by one: a million of them do not fit into memory.
 */
export function rebuildTexts(database: Database.Database, report: (message: string) => void): void {
  database.exec(`
    drop table if exists words;
    drop table if exists texts;
    drop table if exists lexicon;
    create virtual table texts using fts5 (
      ${columns.join(', ')}, content = '', contentless_delete = 1, tokenize = 'ascii'
    );
    create virtual table words using fts5vocab (texts, row);
    -- Ids grow, so that a reader can continue after the last id it has read.
    create table lexicon (id integer primary key, word text not null unique);
  `);
  const textColumns = readTextColumns(database);
  const lexicon = new Lexicon(database);
  const total = database.prepare('select count(*) from records').pluck().get() as number;
  const next = database.prepare('select rid from records where rid > ? order by rid limit ?').pluck();
  const read = database.prepare('select stream_id, data from records where rid = ?');
  const add = database.prepare(
    `insert into texts (rowid, ${columns.join(', ')}) values (?, ${columns.map(() => '?').join(', ')})`,
  );
  let done = 0;
  for (
    let rids = next.all(-1, BATCH_RECORDS) as number[];
    rids.length > 0;
    rids = next.all(rids.at(-1), BATCH_RECORDS) as number[]
  ) {
    for (const rid of rids) {
      const { stream_id, data } = read.get(rid) as { stream_id: number; data: string };
      const texts = makeTexts(textColumns.get(stream_id) ?? [], data);
      done += 1;
      if (done % REPORT_INTERVAL_RECORDS === 0)
        report(`Rebuilding the text index: ${done} of ${total} records.`);
      if (texts.every((text) => text === '')) continue;
      add.run(rid, ...texts);
      lexicon.addTexts(texts);
    }
    lexicon.write();
    lexicon.afterTransaction(true);
  }
}

/** The length above which repeated words are no longer indexed. */
const LONG_TEXT_CHARACTERS = MAX_POSITIONED_WORDS * 2;

/** Reindexes records with very long texts. Only large records can have one. */
export function rebuildLongTexts(database: Database.Database, rids: readonly number[]): void {
  const textColumns = readTextColumns(database);
  const read = database.prepare('select stream_id, data from records where rid = ?');
  const remove = database.prepare('delete from texts where rowid = ?');
  const add = database.prepare(
    `insert into texts (rowid, ${columns.join(', ')}) values (?, ${columns.map(() => '?').join(', ')})`,
  );
  for (const rid of rids) {
    const { stream_id, data } = read.get(rid) as { stream_id: number; data: string };
    if (data.length <= LONG_TEXT_CHARACTERS) continue;
    const texts = makeTexts(textColumns.get(stream_id) ?? [], data);
    if (texts.every((text) => text === '')) continue;
    remove.run(rid);
    add.run(rid, ...texts);
  }
}

type TextColumn = readonly [field: string, column: number];

function readTextColumns(database: Database.Database): Map<number, TextColumn[]> {
  const rows = database.prepare('select stream_id, plan from streams').all() as {
    stream_id: number;
    plan: string;
  }[];
  return new Map(
    rows.map(({ stream_id, plan }) => {
      const { texts } = JSON.parse(plan) as { texts: Record<string, number> };
      return [stream_id, Object.entries(texts)];
    }),
  );
}

function makeTexts(textColumns: readonly TextColumn[], data: string): string[] {
  const texts = new Array<string>(TEXT_COLUMNS).fill('');
  if (textColumns.length === 0) return texts;
  const record = JSON.parse(data) as Record<string, unknown>;
  for (const [field, column] of textColumns) {
    if (Object.hasOwn(record, field)) texts[column] = indexText(searchText(record[field]));
  }
  return texts;
}
