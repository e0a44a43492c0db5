import Database from 'better-sqlite3';
import type { InputFile } from '../import/importer.ts';

/** Opens a file that says it is a database, to read only. Undefined where it is none or cannot be opened. */
export async function openDatabase(file: InputFile): Promise<Database.Database | undefined> {
  const head = await file.head();
  if (Buffer.from(head.subarray(0, 16)).toString('latin1') !== 'SQLite format 3\0') return undefined;
  let database: Database.Database | undefined;
  try {
    database = new Database(await file.onDisk(), { readonly: true, fileMustExist: true });
    // What a view or a trigger of a stranger's file calls is not ours to run.
    database.pragma('trusted_schema = off');
    listColumns(database, 'sqlite_master');
    return database;
  } catch {
    database?.close();
    return undefined;
  }
}

/** None for a table that is not there. */
export function listColumns(database: Database.Database, table: string): Set<string> {
  return new Set(database.prepare('select name from pragma_table_info(?)').pluck().all(table) as string[]);
}
