import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openFloor } from '../floor.ts';

interface StreamRow {
  readonly stream_id: number;
  readonly connection_id: string;
  readonly stream: string;
}

type Data = Record<string, unknown>;

const SAMPLE = 1_000;

export const tableOf = (connection: string, stream: string): string => `${connection}_${stream}`;
export const TRANSACTIONS = tableOf('bank_checking', 'transactions');

/**
 * Copies all records of a store into plain tables, one per stream with one column per field, and their texts into an FTS5
 * table. The indexes suit the questions exactly.
 */
export function ensureTables(storeDirectory: string): string {
  const path = `${storeDirectory}-tables.db`;
  if (existsSync(path) && statSync(path).mtimeMs > statSync(join(storeDirectory, 'filled.json')).mtimeMs)
    return path;
  console.error('exporting the records to plain tables, once');
  const started = performance.now();
  const draft = `${path}.part`;
  rmSync(draft, { force: true });
  const store = openFloor(storeDirectory);
  const db = new Database(draft);
  db.pragma('journal_mode = off');
  db.pragma('synchronous = off');
  db.exec(
    `create virtual table texts using fts5 (source unindexed, key unindexed, body, tokenize = 'porter')`,
  );
  const streams = store.prepare('select stream_id, connection_id, stream from streams').all() as StreamRow[];
  for (const stream of streams) db.transaction(() => exportStream(store, db, stream))();
  db.exec(`create index newest on ${TRANSACTIONS} (date, key)`);
  db.exec(`create index filtered on ${TRANSACTIONS} (category, date, key)`);
  db.exec(`create index merchants on ${TRANSACTIONS} (merchant, amount)`);
  db.exec(`insert into texts (texts) values ('optimize'); analyze`);
  // Leaves the file in the mode that a server would use.
  db.pragma('journal_mode = wal');
  db.close();
  store.close();
  renameSync(draft, path);
  const megabytes = Math.round(statSync(path).size / 1e6);
  console.error(`exported in ${Math.round((performance.now() - started) / 1_000)} s, ${megabytes} MB`);
  return path;
}

function exportStream(store: Database.Database, db: Database.Database, stream: StreamRow): void {
  const rows = store.prepare('select key, data from records where stream_id = ? order by rid');
  const columns = new Set<string>();
  const sample = store.prepare('select data from records where stream_id = ? order by rid limit ?').pluck();
  for (const data of sample.all(stream.stream_id, SAMPLE) as string[])
    for (const name of Object.keys(JSON.parse(data))) if (name !== 'key') columns.add(name);
  if (columns.size === 0) return;
  const table = tableOf(stream.connection_id, stream.stream);
  const names = [...columns];
  const quoted = names.map((name) => `"${name}"`);
  db.exec(`create table "${table}" (key text primary key, ${quoted.join(', ')})`);
  const marks = names.map(() => '?').join(', ');
  const insert = db.prepare(`insert into "${table}" (key, ${quoted.join(', ')}) values (?, ${marks})`);
  const index = db.prepare('insert into texts (source, key, body) values (?, ?, ?)');
  for (const { key, data } of rows.iterate(stream.stream_id) as Iterable<{ key: string; data: string }>) {
    const fields = JSON.parse(data) as Data;
    insert.run(
      key,
      names.map((name) => toColumn(fields[name])),
    );
    index.run(table, key, textsOf(fields).join('\n'));
  }
}

function toColumn(value: unknown): string | number | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' || typeof value === 'number') return value;
  return typeof value === 'boolean' ? Number(value) : JSON.stringify(value);
}

/** The texts of a record without ids and times. */
function textsOf(fields: Data): string[] {
  return Object.entries(fields)
    .filter(([name]) => !/(^|_)(id|ids|at|date)$/.test(name))
    .flatMap(([, value]) => (Array.isArray(value) ? value : [value]))
    .filter((value): value is string => typeof value === 'string');
}
