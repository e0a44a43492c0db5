import { closeSync, openSync } from 'node:fs';
import Database from 'better-sqlite3';
import { unusable } from '../../store-error.ts';
import { checkPages } from '../check/check-file.ts';
import { openToRead } from '../check/open-to-read.ts';

export type Counts = Record<string, number>;

const PAGES_PER_STEP = 2_000;

/**
 * Copies a database that others may be writing to, as it is at one moment. The connection's own read transaction
 * holds that moment still: without it, every write of another process would make the copy begin again.
 */
export async function copyDatabase(
  from: string,
  to: string,
  tables: readonly string[],
  progress: (donePages: number, allPages: number) => void = () => {},
): Promise<Counts> {
  // There before SQLite opens it, so that it is private from the first byte on.
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

/** A copy counts when it can be opened, every page is sound, and it holds as much as the original did. */
function checkCopy(file: string, tables: readonly string[], expected: Counts): void {
  const copy = new Database(file, { fileMustExist: true });
  try {
    checkPages(copy);
    const found = countRows(copy, tables);
    if (tables.some((table) => found[table] !== expected[table]))
      throw unusable('The copy does not hold what the original holds.', 'Try again.');
  } finally {
    // The last connection that may write takes the log and the index of the log away.
    copy.close();
  }
}

function countRows(database: Database.Database, tables: readonly string[]): Counts {
  return Object.fromEntries(
    tables.map((table) => [table, database.prepare(`select count(*) from ${table}`).pluck().get() as number]),
  );
}
