import type Database from 'better-sqlite3';
import type { InputFile } from '../../import/importer.ts';
import { Sqlite } from '../../store/sqlite/folder/database-module.ts';

/** Opens a SQLite file read-only. Returns undefined for other files and damaged ones. */
export async function openDatabase(file: InputFile): Promise<Database.Database | undefined> {
  if (!(await isDatabase(file))) return undefined;
  let database: Database.Database | undefined;
  try {
    database = new Sqlite(await file.diskPath(), { readonly: true, fileMustExist: true });
    // Views and triggers of a foreign file must not call functions.
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

/** Returns an empty set if the table does not exist. */
export function listColumns(database: Database.Database, table: string): Set<string> {
  return new Set(database.prepare('select name from pragma_table_info(?)').pluck().all(table) as string[]);
}
