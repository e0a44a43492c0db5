import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { checkPages } from '../check/check-file.ts';
import { isDamage } from '../check/is-damage.ts';
import { openToRead } from '../check/open-to-read.ts';
import { findSecretFile } from '../folder/secret-file.ts';
import { auditMigrations, migrations } from '../migrations.ts';
import { openFiles } from '../open-store.ts';
import { accessTables } from './access-tables.ts';

/** What can be believed of the store that a restore replaces. */
export interface PresentStore {
  /** Open for reading, when its record of access is whole. */
  readonly store: Database.Database | undefined;
  /** The path of a whole audit file. */
  readonly audit: string | undefined;
  close(): void;
}

/**
 * Looks at the store in a folder that the caller has alone. It is the past of the backup's own store only if the two
 * have the same key; of another store it says nothing about who may read this one.
 */
export async function readPresent(directory: string, backup: string): Promise<PresentStore> {
  if (!hasSameKey(directory, backup)) return { store: undefined, audit: undefined, close() {} };
  await bringUpToDate(directory);
  const audit = join(directory, 'audit.sqlite');
  const store = openWhole(join(directory, 'store.sqlite'), migrations.length, checkAccess);
  const auditProbe = openWhole(audit, auditMigrations.length, checkPages);
  auditProbe?.close();
  return { store, audit: auditProbe && audit, close: () => store?.close() };
}

function hasSameKey(one: string, other: string): boolean {
  const [a, b] = [findSecretFile(one), findSecretFile(other)];
  return existsSync(a) && existsSync(b) && readFileSync(a).equals(readFileSync(b));
}

async function bringUpToDate(directory: string): Promise<void> {
  try {
    (await openFiles(directory, { release() {} }, () => {})).close();
  } catch (error) {
    if (!isDamage(error)) throw error;
    // Damaged somewhere. What matters here may still be whole.
  }
}

function openWhole(
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

/** Damage among the records says nothing against the record of who may read them. */
function checkAccess(database: Database.Database): void {
  for (const table of accessTables) checkPages(database, table);
}
