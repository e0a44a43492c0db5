import type Database from 'better-sqlite3';
import type { AnyRow } from '../../import/guess/guess-stream.ts';
import { Sqlite } from '../../store/sqlite/folder/database-module.ts';
import type { AnyTable, AnyTables, ReadRow } from './generic-rows.ts';

/** Lists the tables of a database, without internal tables and views. */
export function openDatabaseTables(location: string): AnyTables {
  const tables: AnyTable[] = readFromDatabase(location, (database) =>
    (
      database
        // The only virtual tables that are read are full-text tables with their own content. Shadow tables are skipped.
        .prepare(
          `select name from pragma_table_list join sqlite_schema using (name)
          where schema = 'main' and name not like 'sqlite\\_%' escape '\\' and (pragma_table_list.type = 'table'
            or pragma_table_list.type = 'virtual' and sql like '%using fts%' and sql not like '%content%=%')
          order by name`,
        )
        .pluck()
        .all() as string[]
    ).map((name) => {
      const key = (
        database
          .prepare('select name from pragma_table_info(?) where pk > 0 order by pk')
          .pluck()
          .all(name) as string[]
      ).slice(0, 8);
      return { name, ...(key.length === 0 ? {} : { key }) };
    }),
  );
  return {
    tables,
    async *pieces() {
      for (const table of tables) yield* readDatabaseRows(location, table);
    },
  };
}

async function* readDatabaseRows(location: string, table: AnyTable): AsyncGenerator<ReadRow[]> {
  const { name } = table;
  const database = openDatabase(location);
  try {
    const statement = database.prepare(`select * from "${name.replaceAll('"', '""')}"`).safeIntegers();
    let count = 0;
    for (const row of statement.iterate() as Iterable<Record<string, unknown>>) {
      count += 1;
      yield [{ kind: 'row', table, place: `${name} row ${count}`, row: withoutBytes(row) }];
    }
  } catch {
    yield [
      { kind: 'problem', place: name, reason: 'is damaged; only the part before the damage was imported' },
    ];
  } finally {
    database.close();
  }
}

/** Integers are exact, and binary columns are skipped. */
function withoutBytes(row: Record<string, unknown>): AnyRow {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([, value]) => !(value instanceof Uint8Array))
      .map(([name, value]) => [
        name,
        typeof value === 'bigint'
          ? Number.isSafeInteger(Number(value))
            ? Number(value)
            : String(value)
          : value,
      ]),
  );
}

/** Returns the result, or an empty list if the database is damaged. */
function readFromDatabase<T>(location: string, work: (database: Database.Database) => T[]): T[] {
  let database: Database.Database | undefined;
  try {
    database = openDatabase(location);
    return work(database);
  } catch {
    return [];
  } finally {
    database?.close();
  }
}

/** The database is untrusted: nothing in it runs, and it is opened read-only. */
function openDatabase(location: string): Database.Database {
  const database = new Sqlite(location, { readonly: true, fileMustExist: true });
  database.pragma('trusted_schema = off');
  database.pragma('cell_size_check = on');
  return database;
}
