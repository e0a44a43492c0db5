import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { AppError } from '../../../errors.ts';
import { command, type Hint, hint } from '../../../text/hint.ts';
import { auditMigrations, migrations } from '../migrations.ts';

/** Both files of a store as they were at one moment, whatever a server goes on writing. */
export interface Snapshot {
  readonly store: Database.Database;
  readonly audit: Database.Database;
  close(): void;
}

export function openSnapshot(directory: string): Snapshot {
  const store = openFile(join(directory, 'store.sqlite'), migrations.length);
  const audit = openFile(join(directory, 'audit.sqlite'), auditMigrations.length);
  return {
    store,
    audit,
    close() {
      for (const database of [store, audit]) database.close();
    },
  };
}

function openFile(file: string, version: number): Database.Database {
  if (!existsSync(file))
    throw unusable('There is no whole store in this folder.', 'Name its folder with --data.');
  // Beside a log only to read; without one as a writer that never writes, so that no empty log is left behind.
  const readonly = existsSync(`${file}-wal`);
  const database = new Database(file, { readonly, fileMustExist: true, timeout: 5_000 });
  try {
    database.pragma('query_only = on');
    database.exec('begin');
    const found = database.pragma('user_version', { simple: true }) as number;
    // The first read is when the snapshot is taken.
    database.prepare('select count(*) from sqlite_master').get();
    if (found === version) return database;
    database.close();
    if (found < version)
      throw unusable('The store is of an older version.', hint`Start ${command('serve')} once, then verify.`);
    throw unusable('The database was written by a newer pdpp.', 'Update pdpp.');
  } catch (cause) {
    database.close();
    if (cause instanceof AppError) throw cause;
    throw unusable(
      'The database file is damaged or not a database.',
      hint`${command('doctor')} says more.`,
      cause,
    );
  }
}

function unusable(message: string, hint: Hint, cause?: unknown): AppError {
  return new AppError('store_unusable', message, { hint, cause });
}
