import type Database from 'better-sqlite3';
import {
  type DatabaseConnection,
  type Driver,
  Kysely,
  type RawBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { addValue, type ExactSum, readUnits, startSum, writeSum } from '../exact-sum.ts';
import { roundExact, roundNear } from '../round-sum.ts';
import { addFailures } from '../store-error.ts';
import { sqliteFailures } from './failures.ts';
import { Sqlite } from './folder/database-module.ts';
import { registerInterrupt } from './interrupt.ts';
import { registerGroupTables } from './reads/measures/hash/group-table.ts';
import type { Tables } from './tables.ts';
import { registerStatements } from './template.ts';

addFailures(sqliteFailures);

/** The number of prepared statements per connection. Few suffice: queries differ by columns, not by values. */
const MAX_STATEMENTS = 300;

/** Single statements through Kysely. Transactions go through WriteConnection only. */
export type Queries<T> = Pick<
  Kysely<T>,
  'selectFrom' | 'insertInto' | 'updateTable' | 'deleteFrom' | 'executeQuery' | 'getExecutor' | 'fn' | 'with'
>;

/** Opens a connection to a file that was checked. */
export function openSqlite(file: string, mode: 'read' | 'write'): Database.Database {
  const database = new Sqlite(file, { readonly: mode === 'read', fileMustExist: true, timeout: 5_000 });
  // Small, because the operating system caches the file too.
  database.pragma(`cache_size = ${mode === 'read' ? -16_000 : -8_000}`);
  registerSums(database);
  registerInterrupt(database);
  registerGroupTables(database);
  if (mode === 'write') {
    database.pragma('journal_mode = wal');
    // With WAL, NORMAL survives a crash of the process; FULL also survives a power cut.
    database.pragma('synchronous = full');
    database.pragma('foreign_keys = on');
    database.pragma('secure_delete = on');
    database.pragma('temp_store = memory');
  }
  return database;
}

/** Returns a Kysely over a connection that only reads, and that prepares each statement once. */
export function createKysely<T>(database: Database.Database): Kysely<T> {
  const prepare = cacheStatements(database);
  const db = createQueries<T>({
    async executeQuery({ sql, parameters }) {
      const statement = prepare(sql);
      if (statement.reader) return { rows: statement.all(parameters) as never[] };
      // SQLite refuses it.
      statement.run(parameters);
      return { rows: [] };
    },
    streamQuery() {
      throw new Error('The read side does not stream.');
    },
  });
  registerStatements(db, prepare);
  return db;
}

/** Returns queries over a connection that decides itself when a statement runs. */
export function createQueries<T>(connection: DatabaseConnection): Kysely<T> {
  const refuse = async () => {
    throw new Error('Use WriteConnection for transactions.');
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

/** Runs a statement that writes. Returns the number of rows that it changed. */
export async function run(db: Queries<Tables>, statement: RawBuilder<unknown>): Promise<number> {
  return Number((await statement.execute(db)).numAffectedRows ?? 0n);
}

/** Returns a function that prepares statements and caches the most recently used ones. */
export function cacheStatements(database: Database.Database): (sql: string) => Database.Statement {
  const statements = new Map<string, Database.Statement>();
  return (sql) => {
    let statement = statements.get(sql);
    if (statement === undefined) {
      if (statements.size >= MAX_STATEMENTS) statements.delete(statements.keys().next().value as string);
      statement = database.prepare(sql);
    } else {
      statements.delete(sql);
    }
    statements.set(sql, statement);
    return statement;
  };
}

/** Registers `exact_sum`, the sum in units as text, and `round_near` and `round_exact`, which order groups. */
export function registerSums(database: Database.Database): void {
  const near = (sum: number, size: number, divisor: number) => roundNear(sum, size, divisor);
  const exact = (units: string, divisor: number) => roundExact(readUnits(units), divisor);
  database.aggregate('exact_sum', {
    deterministic: true,
    safeIntegers: true,
    start: startSum,
    step: (sum: ExactSum, value: unknown) => addValue(sum, value),
    result: writeSum,
  });
  database.function('round_near', { deterministic: true }, near as (...values: unknown[]) => number | null);
  database.function('round_exact', { deterministic: true }, exact as (...values: unknown[]) => number | null);
}
