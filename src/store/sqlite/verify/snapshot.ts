import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { AppError } from '../../../errors.ts';
import { command, hint } from '../../../text/hint.ts';
import { unusable } from '../../failures.ts';
import { checkVersion, openToRead } from '../check/check-file.ts';
import { auditMigrations, migrations } from '../migrations.ts';

/** Both files of a store as they were at one moment, while a server may go on writing. */
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
    throw unusable('There is no complete store in this folder.', 'Choose its folder with --data.');
  const database = openToRead(file);
  try {
    database.pragma('query_only = on');
    database.exec('begin');
    const found = database.pragma('user_version', { simple: true }) as number;
    // The snapshot is taken at the first read.
    database.prepare('select count(*) from sqlite_master').get();
    checkVersion(found, version, file);
    if (found === version) return database;
    throw unusable('The store is of an older version.', hint`Start ${command('serve')} once, then verify.`);
  } catch (cause) {
    database.close();
    if (cause instanceof AppError) throw cause;
    throw unusable(
      'The database file is damaged or not a database.',
      hint`For details, run ${command('doctor')}.`,
      cause,
    );
  }
}
