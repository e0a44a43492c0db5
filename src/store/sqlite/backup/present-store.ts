import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { checkPages, isDamage, openToRead } from '../check/check-file.ts';
import { findSecretFile } from '../folder/secret-file.ts';
import { auditMigrations, migrations } from '../migrations.ts';
import { openFiles } from '../open-store.ts';
import { accessTables } from './access-tables.ts';

/** The undamaged parts of the store that a restore replaces. */
export interface PresentStore {
  /** Open for reading, if its access tables are undamaged. */
  readonly store: Database.Database | undefined;
  /** The path of an undamaged audit file. */
  readonly audit: string | undefined;
  close(): void;
}

/** Opens the current store of a folder that the caller has locked. The access of a store with another key is not used. */
export async function readPresent(directory: string, backup: string): Promise<PresentStore> {
  if (!hasSameKey(directory, backup)) return { store: undefined, audit: undefined, close() {} };
  await upgrade(directory);
  const audit = join(directory, 'audit.sqlite');
  const store = openUndamaged(join(directory, 'store.sqlite'), migrations.length, checkAccess);
  const auditProbe = openUndamaged(audit, auditMigrations.length, checkPages);
  auditProbe?.close();
  return { store, audit: auditProbe && audit, close: () => store?.close() };
}

function hasSameKey(one: string, other: string): boolean {
  const [a, b] = [findSecretFile(one), findSecretFile(other)];
  return existsSync(a) && existsSync(b) && readFileSync(a).equals(readFileSync(b));
}

async function upgrade(directory: string): Promise<void> {
  try {
    // The files are kept beside the restored ones, so no backup is needed.
    const choice = { withoutBackup: true };
    (await openFiles(directory, { release() {} }, () => {}, 'every page', choice)).close();
  } catch (error) {
    if (!isDamage(error)) throw error;
    // The access tables may still be undamaged.
  }
}

function openUndamaged(
  file: string,
  version: number,
  check: (database: Database.Database) => void,
): Database.Database | undefined {
  if (!existsSync(file)) return undefined;
  let database: Database.Database | undefined;
  try {
    database = openToRead(file);
    if (database.pragma('user_version', { simple: true }) === version) {
      check(database);
      return database;
    }
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  database?.close();
  return undefined;
}

/** Checks the access tables only: damaged records do not matter here. */
function checkAccess(database: Database.Database): void {
  for (const table of accessTables) checkPages(database, table);
}
