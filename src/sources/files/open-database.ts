import Database from 'better-sqlite3';
import type { InputFile } from '../../import/importer.ts';

/** Opens a file that says it is a database, to read only. Undefined where it is none or cannot be opened. */
export async function openDatabase(file: InputFile): Promise<Database.Database | undefined> {
  if (!(await isDatabase(file))) return undefined;
  let database: Database.Database | undefined;
  try {
    database = new Database(await file.diskPath(), { readonly: true, fileMustExist: true });
    // What a view or a trigger of a stranger's file calls is not ours to run.
    database.pragma('trusted_schema = off');
    listTables(database);
    return database;
  } catch {
    database?.close();
    return undefined;
  }
}

export async function isDatabase(file: InputFile): Promise<boolean> {
  return Buffer.from((await file.head()).subarray(0, 16)).toString('latin1') === 'SQLite format 3\0';
}

export function listTables(database: Database.Database): string[] {
  return database.prepare(`select name from sqlite_master where type = 'table'`).pluck().all() as string[];
}

/** None for a table that is not there. */
export function listColumns(database: Database.Database, table: string): Set<string> {
  return new Set(database.prepare('select name from pragma_table_info(?)').pluck().all(table) as string[]);
}
