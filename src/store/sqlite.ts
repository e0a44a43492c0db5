import Database from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { slimRecord } from './slim-record.ts';

/** Statements kept prepared per connection. Queries differ by their columns, not their values: few suffice. */
const STATEMENT_CACHE = 300;

/** Opens one connection to a file that exists and was checked. */
export function openSqlite(file: string, mode: 'read' | 'write'): Database.Database {
  const database = new Database(file, { readonly: mode === 'read', fileMustExist: true, timeout: 5_000 });
  // The system's own cache stands behind this one and costs the process nothing.
  database.pragma(`cache_size = ${mode === 'read' ? -16_000 : -8_000}`);
  database.function('slim_record', { deterministic: true }, slimRecord as (data: unknown) => string);
  if (mode === 'write') {
    database.pragma('journal_mode = wal');
    // WAL with NORMAL survives the death of the process; FULL also survives the death of the machine.
    database.pragma('synchronous = full');
    database.pragma('foreign_keys = on');
    database.pragma('secure_delete = on');
    database.pragma('temp_store = memory');
  }
  return database;
}

/** A Kysely over the connection that prepares each statement once. */
export function createKysely<T>(database: Database.Database): Kysely<T> {
  const statements = new Map<string, Database.Statement>();
  const prepare = (sql: string): Database.Statement => {
    let statement = statements.get(sql);
    if (statement === undefined) {
      if (statements.size >= STATEMENT_CACHE) statements.delete(statements.keys().next().value as string);
      statement = database.prepare(sql);
    } else {
      statements.delete(sql);
    }
    statements.set(sql, statement);
    return statement;
  };
  return new Kysely<T>({
    dialect: new SqliteDialect({ database: { prepare, close: () => database.close() } as Database.Database }),
  });
}
