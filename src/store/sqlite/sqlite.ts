import Database from 'better-sqlite3';
import {
  type DatabaseConnection,
  type Driver,
  Kysely,
  SqliteAdapter,
  SqliteDialect,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { registerSums } from './register-sums.ts';

/** Statements kept prepared per connection. Queries differ by their columns, not their values: few suffice. */
const STATEMENT_CACHE = 300;

/**
 * What the rest of the code may do with a database through Kysely: statements. Transactions have one way of their own,
 * and a connection is nobody's to hold.
 */
export type Queries<T> = Pick<
  Kysely<T>,
  'selectFrom' | 'insertInto' | 'updateTable' | 'deleteFrom' | 'executeQuery' | 'getExecutor' | 'fn' | 'with'
>;

/** Opens one connection to a file that exists and was checked. */
export function openSqlite(file: string, mode: 'read' | 'write'): Database.Database {
  const database = new Database(file, { readonly: mode === 'read', fileMustExist: true, timeout: 5_000 });
  // The system's own cache stands behind this one and costs the process nothing.
  database.pragma(`cache_size = ${mode === 'read' ? -16_000 : -8_000}`);
  registerSums(database);
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
  const prepare = cacheStatements(database);
  return new Kysely<T>({
    dialect: new SqliteDialect({ database: { prepare, close: () => database.close() } as Database.Database }),
  });
}

/** The same over a connection that decides itself when a statement is run. */
export function createQueries<T>(connection: DatabaseConnection): Queries<T> {
  const refuse = async () => {
    throw new Error('Transactions are not begun here.');
  };
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    destroy: async () => {},
  };
  return new Kysely<T>({
    dialect: {
      createDriver: () => driver,
      createAdapter: () => new SqliteAdapter(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

/** Prepares each statement once, as long as it is among the last few. */
export function cacheStatements(database: Database.Database): (sql: string) => Database.Statement {
  const statements = new Map<string, Database.Statement>();
  return (sql) => {
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
}
