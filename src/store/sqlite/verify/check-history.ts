import type Database from 'better-sqlite3';
import type { Problems } from '../check/finding.ts';

interface Row {
  stream_id: number;
  key: string;
  from_seq: number;
  to_seq: number;
  /** Whether its data was erased, because the record was deleted when the version ended or later. */
  is_erased: number;
  record_seq: number | null;
  deletion_seq: number | null;
}

/** Checks that the versions of a record do not overlap, and that the last one ends where the record begins. */
export function checkHistory(raw: Database.Database, problems: Problems): void {
  const rows = raw.prepare(
    `select h.stream_id, h.key, h.from_seq, h.to_seq, h.data is null as is_erased,
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

/** Checks that the next version begins where this one ends, or later if the record was deleted in between. */
function checkNext(version: Row, nextSeq: number, problems: Problems): void {
  if (nextSeq < version.to_seq) problems.add('past versions that overlap with the next', version.key);
  if (nextSeq > version.to_seq && version.is_erased === 0)
    problems.add('past versions that end before the next begins', version.key);
}

function checkLast(version: Row, problems: Problems): void {
  if (version.record_seq !== null) checkNext(version, version.record_seq, problems);
  else if ((version.deletion_seq ?? -1) < version.to_seq)
    problems.add('past versions of records that neither exist nor were deleted', version.key);
}

/** Checks that deleted records do not exist, and that no change number is above the counter. */
export function checkSequence(raw: Database.Database, problems: Problems): void {
  const both = raw.prepare('select d.key from deletions d join records r using (stream_id, key)').pluck();
  for (const key of both.iterate() as Iterable<string>)
    problems.add('records that exist although they were deleted', key);
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
