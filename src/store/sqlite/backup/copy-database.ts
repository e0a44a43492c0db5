import { closeSync, openSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { unusable } from '../../failures.ts';
import { checkPages, openToRead } from '../check/check-file.ts';
import { Sqlite } from '../folder/database-module.ts';

export type Counts = Record<string, number>;

const PAGES_PER_STEP = 2_000;

/**
 * Copies a snapshot of a database that other processes may be writing to. Without the connection's own read
 * transaction, every write of another process would restart the copy.
 */
export async function copyDatabase(
  from: string,
  to: string,
  tables: readonly string[],
  progress: (donePages: number, allPages: number) => void = () => {},
): Promise<Counts> {
  // Created before SQLite opens it, so that it is private from the first byte.
  closeSync(openSync(to, 'wx', 0o600));
  const source = openToRead(from);
  try {
    source.exec('begin');
    const counts = countRows(source, tables);
    await source.backup(to, {
      progress: ({ totalPages, remainingPages }) => {
        progress(totalPages - remainingPages, totalPages);
        return PAGES_PER_STEP;
      },
    });
    checkCopy(to, tables, counts);
    return counts;
  } finally {
    source.close();
  }
}

/** Checks that a copy can be opened, that every page is sound, and that its tables have as many rows as the original. */
function checkCopy(file: string, tables: readonly string[], expected: Counts): void {
  const copy = new Sqlite(file, { fileMustExist: true });
  try {
    checkPages(copy);
    const found = countRows(copy, tables);
    if (tables.some((table) => found[table] !== expected[table]))
      throw unusable('The copy differs from the original.', 'Try again.');
  } finally {
    // The last connection that may write removes the log and its index.
    copy.close();
  }
}

/** An older version may lack some of the tables. */
function countRows(database: Database.Database, tables: readonly string[]): Counts {
  const exists = database.prepare("select 1 from sqlite_master where type = 'table' and name = ?");
  return Object.fromEntries(
    tables
      .filter((table) => exists.get(table) !== undefined)
      .map((table) => [table, database.prepare(`select count(*) from ${table}`).pluck().get() as number]),
  );
}
