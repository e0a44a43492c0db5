import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { command, hint } from '../../../text/hint.ts';
import { unusable } from '../../failures.ts';
import type { MoveSource } from '../../move/move-stores.ts';
import { checkFile, openToRead } from '../check/check-file.ts';
import { isRestoreWaiting } from '../folder/finish-restore.ts';
import { lockFolder } from '../folder/folder-lock.ts';
import { findSecretFile, readSecretFile } from '../folder/secret-file.ts';
import { auditMigrations, type Migration, migrations } from '../migrations.ts';
import { createTableReader } from './read-tables.ts';

const files = ['store.sqlite', 'audit.sqlite'] as const;

/** Opens a data folder to move its store. No other process has it open meanwhile, and nothing in it is changed. */
export function openSourceFolder(directory: string): MoveSource {
  if (!existsSync(join(directory, 'store.sqlite')))
    throw unusable('No pdpp data in this folder.', 'Choose another folder with --from.');
  const lock = lockFolder(directory);
  const opened: Database.Database[] = [];
  try {
    if (isRestoreWaiting(directory)) throw isOld();
    const [store, audit] = [migrations, auditMigrations].map((steps, at) => {
      const database = openUpToDate(join(directory, files[at] as string), steps);
      opened.push(database);
      return database;
    }) as [Database.Database, Database.Database];
    const secret = readSecretFile(findSecretFile(directory));
    return {
      ...createTableReader(store, audit),
      location: directory,
      secret,
      fingerprint: async () => describeFiles(directory),
      async close() {
        for (const database of opened) database.close();
        lock.release();
      },
    };
  } catch (error) {
    for (const database of opened) database.close();
    lock.release();
    throw error;
  }
}

function openUpToDate(file: string, steps: readonly Migration[]): Database.Database {
  checkFile(file, steps.length, 'first page');
  const database = openToRead(file);
  if (database.pragma('user_version', { simple: true }) === steps.length) return database;
  database.close();
  throw isOld();
}

function isOld(): Error {
  return unusable(
    'The data is not up to date with this version of pdpp.',
    hint`Run ${command('connection list')} once, which updates it. Then run the move again.`,
  );
}

/** Every write changes the size or the time of a file. */
function describeFiles(directory: string): string {
  const parts = files
    .flatMap((name) => [name, `${name}-wal`])
    .flatMap((name) => {
      const file = statSync(join(directory, name), { bigint: true, throwIfNoEntry: false });
      // Reading creates an empty log.
      return file === undefined || file.size === 0n
        ? []
        : [`${name} ${file.ino} ${file.size} ${file.mtimeNs}`];
    });
  return parts.join('\n');
}
