import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeJson } from '../../../src/store/postgres/json-text.ts';
import type { PostgresStore } from '../../../src/store/postgres/open-store.ts';
import type { Sql } from '../../../src/store/postgres/sql.ts';
import type { SqliteStore } from '../../../src/store/sqlite/open-store.ts';

type Value = string | number | null;

/** Runs a statement on the tables of a store, past the program. `?` stands for a value. Both engines name tables alike. */
export function queryTables<Row extends object>(
  store: SqliteStore,
  text: string,
  ...values: readonly Value[]
): Promise<Row[]> {
  return run(store, 'write', text, values);
}

/** Runs a statement on the tables of the audit log, which SQLite keeps in a file of their own. */
export function queryAudit<Row extends object>(
  store: SqliteStore,
  text: string,
  ...values: readonly Value[]
): Promise<Row[]> {
  return run(store, 'audit', text, values);
}

/** Returns all rows of all tables but the audit log, as text that is equal if and only if they are. */
export async function dumpTables(store: SqliteStore): Promise<string> {
  const databases = findDatabases(store);
  const tables = await queryTables<{ name: string }>(store, databases ? POSTGRES_TABLES : SQLITE_TABLES);
  const rows = tables.map(({ name }) => {
    if (databases === undefined) return queryTables(store, `select * from "${name}"`);
    const except = name === 'counters' ? `and name not in ('audit', 'events')` : '';
    const own = `owner_id = ${databases.writes.ownerId}`;
    return queryTables(store, `select stored::text from ${name} stored where ${own} ${except} order by 1`);
  });
  return JSON.stringify(await Promise.all(rows));
}

/** Returns the JSON of a record as the program was given it, by its key. */
export async function readStoredJson(store: SqliteStore, key: string): Promise<unknown> {
  const [row] = await queryTables<{ data: string }>(store, 'select data from records where key = ?', key);
  if (row === undefined) throw new Error('no such record');
  return JSON.parse(findDatabases(store) === undefined ? row.data : decodeJson(row.data));
}

/** Returns everything that a store keeps but the server secret: the bytes of its files, or all rows as text. */
export async function readAtRest(store: SqliteStore): Promise<string> {
  if (findDatabases(store) !== undefined)
    return [
      await dumpTables(store),
      ...(await Promise.all(AUDIT_TABLES.map((name) => queryAudit(store, `select * from ${name}`)))).map(
        (rows) => JSON.stringify(rows),
      ),
    ].join('\n');
  return readdirSync(store.directory)
    .filter((name) => name !== 'server-secret')
    .map((name) => readFileSync(join(store.directory, name), 'latin1'))
    .join('\n');
}

const AUDIT_TABLES = ['audit', 'events', 'usage_days', 'pruned'];
const SQLITE_TABLES = `select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name`;
/** The tables that belong to one owner. Other tests add owners meanwhile. */
const POSTGRES_TABLES = `select relname::text as name from pg_class where relrowsecurity and
  relname not in (${AUDIT_TABLES.map((name) => `'${name}'`)}) order by relname`;

async function run<Row extends object>(
  store: SqliteStore,
  side: 'write' | 'audit',
  text: string,
  values: readonly Value[],
): Promise<Row[]> {
  const databases = findDatabases(store);
  if (databases !== undefined) {
    const statement: Sql = { parts: text.split('?'), values };
    return databases.writes.query(statement);
  }
  const statement = store[side].raw.prepare(text);
  if (statement.reader) return statement.all(...values) as Row[];
  statement.run(...values);
  return [];
}

function findDatabases(store: SqliteStore): PostgresStore['databases'] | undefined {
  return (store as Partial<PostgresStore>).databases;
}
