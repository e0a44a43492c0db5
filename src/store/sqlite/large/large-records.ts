import type Database from 'better-sqlite3';
import { LARGE_BYTES } from '../../large/long-value.ts';
import { declaredFields, splitRecord } from '../../large/split-record.ts';

/**
 * Tables that store large records split into fields. The key is the number of the change that wrote the version, which
 * stays the same in the history. They have no triggers, because deleting with triggers needs disk space.
 */
const largeTables = `
  create table large_records (
    stream_id integer not null, seq integer not null, key text not null, primary key (stream_id, seq)
  ) without rowid;
  create index large_records_key on large_records (stream_id, key);
  -- A short value is whole. Of a long one: its beginning, a hash, the first items of a list, and its text as shown.
  create table large_fields (
    seq integer not null, field text not null, type text not null, value text not null, hash text, items text,
    json_chars integer not null, chars integer not null, lines integer not null, escapes integer not null,
    primary key (seq, field)
  ) without rowid;
  -- Not by its key: the database would read whole pieces to find one.
  create table large_pieces (
    piece_id integer primary key, seq integer not null, field text not null, start integer not null,
    shown_start integer not null, lines integer not null, text text not null
  );
  create unique index large_pieces_place on large_pieces (seq, field, start, shown_start, lines);
  -- The data of past versions, which would make every look into the history as slow as reading them.
  create table large_past (seq integer primary key, data text not null);
`;

/** The data of a version as the history holds it: its JSON, or `#` and its change number if it is large. */
export const pastData = (seq: string, data: string) =>
  `case when octet_length(${data}) > ${LARGE_BYTES} then '#' || ${seq} else ${data} end`;

interface Version {
  readonly seq: number;
  readonly key: string;
}

/** Stores a version of a large record split into its declared fields. Other fields cannot be granted. */
export function addLargeRecord(
  raw: Database.Database,
  streamId: number,
  { seq, key }: Version,
  data: string,
): void {
  const run = getStatements(raw);
  run.addRecord.run(streamId, seq, key);
  for (const { row, pieces } of splitRecord(data, readDeclared(run, streamId))) {
    const [field] = row;
    run.addField.run(seq, ...row);
    for (const piece of pieces) run.addPiece.run(seq, field, ...piece);
  }
}

/** Removes the parts of every version of a record. */
export function removeLargeRecord(raw: Database.Database, streamId: number, key: string): void {
  const run = getStatements(raw);
  removeVersions(run, streamId, run.listOfKey.all(streamId, key) as number[]);
}

/** Removes the parts of up to `limit` versions of a stream. Returns the number of versions. */
export function removeLargeBatch(raw: Database.Database, streamId: number, limit: number): number {
  const run = getStatements(raw);
  const seqs = run.listBatch.all(streamId, limit) as number[];
  removeVersions(run, streamId, seqs);
  return seqs.length;
}

function removeVersions(run: Statements, streamId: number, seqs: readonly number[]): void {
  for (const seq of seqs) {
    for (const remove of run.remove) remove.run(seq);
    run.removePast.run(seq);
    run.removeRecord.run(streamId, seq);
  }
}

/** Splits the large versions of a stream again, after fields were added to its declaration. */
export function rebuildLargeRecords(raw: Database.Database, streamId: number): void {
  const run = getStatements(raw);
  const versions = run.listAll.all(streamId) as Version[];
  for (const { seq } of versions) for (const remove of run.remove) remove.run(seq);
  addVersions(raw, streamId, versions);
}

/** Creates and fills the tables in a store that does not have them. Returns the row ids of the large records. */
export function buildLargeRecords(raw: Database.Database, report: (message: string) => void): number[] {
  raw.exec(largeTables);
  raw.exec(
    `insert into large_past select from_seq, data from history where octet_length(data) > ${LARGE_BYTES}`,
  );
  raw.exec(`update history set data = '#' || from_seq where octet_length(data) > ${LARGE_BYTES}`);
  const find = raw.prepare(`
    select seq, key, rid from records where stream_id = @id and octet_length(data) > ${LARGE_BYTES} union all
    select from_seq, key, null from history where stream_id = @id and data like '#%'`);
  const rids: number[] = [];
  for (const id of raw.prepare('select stream_id from streams').pluck().all() as number[]) {
    const versions = find.all({ id }) as (Version & { rid: number | null })[];
    addVersions(raw, id, versions);
    for (const { rid } of versions) if (rid !== null) rids.push(rid);
    if (versions.length > 0) report(`Prepared ${versions.length} large records for reading in parts.`);
  }
  return rids;
}

function addVersions(raw: Database.Database, streamId: number, versions: readonly Version[]): void {
  const { readRecord, readPast } = getStatements(raw);
  for (const version of versions) {
    const data = readRecord.get(streamId, version.key, version.seq) ?? readPast.get(version.seq);
    addLargeRecord(raw, streamId, version, data as string);
  }
}

type Statements = ReturnType<typeof prepare>;

/** Statements are prepared once per connection and released with it. */
const statements = new WeakMap<Database.Database, Statements>();

function getStatements(raw: Database.Database): Statements {
  const known = statements.get(raw) ?? prepare(raw);
  statements.set(raw, known);
  return known;
}

function prepare(raw: Database.Database) {
  return {
    addRecord: raw.prepare('insert or ignore into large_records values (?, ?, ?)'),
    addField: raw.prepare('insert into large_fields values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'),
    addPiece: raw.prepare(
      'insert into large_pieces (seq, field, start, shown_start, lines, text) values (?, ?, ?, ?, ?, ?)',
    ),
    declaration: raw.prepare(
      `select s.stream, d.declaration from streams s join connections using (connection_id)
       join sources d using (connector_key) where s.stream_id = ?`,
    ),
    listAll: raw.prepare('select seq, key from large_records where stream_id = ?'),
    listOfKey: raw.prepare('select seq from large_records where stream_id = ? and key = ?').pluck(),
    listBatch: raw.prepare('select seq from large_records where stream_id = ? limit ?').pluck(),
    removePast: raw.prepare('delete from large_past where seq = ?'),
    removeRecord: raw.prepare('delete from large_records where stream_id = ? and seq = ?'),
    remove: [
      raw.prepare('delete from large_pieces where seq = ?'),
      raw.prepare('delete from large_fields where seq = ?'),
    ],
    readRecord: raw.prepare('select data from records where stream_id = ? and key = ? and seq = ?').pluck(),
    readPast: raw.prepare('select data from large_past where seq = ?').pluck(),
  };
}

function readDeclared(run: Statements, streamId: number): string[] {
  const row = run.declaration.get(streamId) as { stream: string; declaration: string } | undefined;
  return row === undefined ? [] : declaredFields(row.declaration, row.stream);
}
