import type Database from 'better-sqlite3';
import type { Problems } from '../check/finding.ts';

interface Row {
  stream_id: number;
  key: string;
  from_seq: number;
  to_seq: number;
  /** Its content was forgotten, because the record was deleted at its end or later. */
  forgotten: number;
  record_seq: number | null;
  deletion_seq: number | null;
}

/** Past versions of a record follow one another without overlap, and the last ends where the record begins. */
export function checkHistory(raw: Database.Database, problems: Problems): void {
  const rows = raw.prepare(
    `select h.stream_id, h.key, h.from_seq, h.to_seq, h.data is null as forgotten,
       r.seq as record_seq, d.seq as deletion_seq
     from history h
     left join records r on r.stream_id = h.stream_id and r.key = h.key
     left join deletions d on d.stream_id = h.stream_id and d.key = h.key
     order by h.stream_id, h.key, h.from_seq`,
  );
  let before: Row | undefined;
  for (const row of rows.iterate() as Iterable<Row>) {
    if (row.from_seq >= row.to_seq) problems.add('past versions that end before they begin', row.key);
    if (before !== undefined && isSameRecord(before, row)) checkNext(before, row.from_seq, problems);
    else if (before !== undefined) checkLast(before, problems);
    before = row;
  }
  if (before !== undefined) checkLast(before, problems);
}

/** What comes after a version begins where it ended; later only if the record was deleted in between. */
function checkNext(version: Row, nextSeq: number, problems: Problems): void {
  if (nextSeq < version.to_seq) problems.add('past versions that overlap with the next', version.key);
  if (nextSeq > version.to_seq && version.forgotten === 0)
    problems.add('past versions that end before the next begins', version.key);
}

function checkLast(version: Row, problems: Problems): void {
  if (version.record_seq !== null) checkNext(version, version.record_seq, problems);
  else if ((version.deletion_seq ?? -1) < version.to_seq)
    problems.add('past versions of records that are neither there nor deleted', version.key);
}

/** A record that was deleted is not there, and nothing is numbered beyond the counter. */
export function checkSequence(raw: Database.Database, problems: Problems): void {
  const both = raw.prepare('select d.key from deletions d join records r using (stream_id, key)').pluck();
  for (const key of both.iterate() as Iterable<string>)
    problems.add('records that are there and deleted', key);
  const counter = raw.prepare(`select value from counters where name = 'seq'`).pluck().get() as number;
  for (const [table, column] of [
    ['records', 'seq'],
    ['history', 'to_seq'],
    ['deletions', 'seq'],
  ] as const) {
    const ahead = raw.prepare(`select key from ${table} where ${column} > ?`).pluck();
    for (const key of ahead.iterate(counter) as Iterable<string>)
      problems.add(`rows of ${table} numbered beyond the last change`, key);
  }
}

function isSameRecord(a: Row, b: Row): boolean {
  return a.stream_id === b.stream_id && a.key === b.key;
}
