import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { AppError } from '../../../errors.ts';
import { command, hint } from '../../../text/hint.ts';
import { unusable } from '../../failures.ts';
import { findStoreError } from '../../store-error.ts';
import { Sqlite } from '../folder/database-module.ts';
import { findUpgradeBackup } from '../folder/upgrade-backups.ts';

export const APPLICATION_ID = 0x70647070; // "pdpp"
/** Every page of a file up to this size is checked at the start; larger files are checked by `pdpp doctor`. */
export const CHECK_AT_START_BYTES = 64 * 2 ** 20;

/** A command that lists a few rows checks the first page only: SQLite refuses a damaged page when it reads one. */
export type CheckDepth = 'every page' | 'first page';

/**
 * Opens a file to read it, and leaves the folder as it was. Every connection creates a log and its index. A connection
 * that may write removes them again when it is the last to close, but would also merge a log that was there.
 */
export function openToRead(file: string): Database.Database {
  return new Sqlite(file, { readonly: existsSync(`${file}-wal`), fileMustExist: true, timeout: 5_000 });
}

/** Whether an error means that the content of a file is damaged, rather than that another process is using it. */
export function isDamage(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'store_unusable';
  const { code = '' } = error as { code?: string };
  return /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ|IOERR_READ)/.test(code);
}

/**
 * Refuses, without writing to it, a file that is not an undamaged database of ours at a known version. Only SQLite can
 * decide that: the newest pages may be in the log, and a file may be shorter than its header says after a checkpoint.
 */
export function checkFile(file: string, version: number, depth: CheckDepth): void {
  const { size } = statSync(file);
  // SQLite would treat an empty file as a new database and discard the log beside it.
  if (size === 0) throw unusable('The database file is empty.', 'Restore it from a backup or move it away.');
  checkHeader(file);
  let database: Database.Database | undefined;
  try {
    database = openToRead(file);
    // The first read compares the file and its log with the expected number of pages.
    checkVersion(database.pragma('user_version', { simple: true }) as number, version, file);
    if (depth === 'every page' && size <= CHECK_AT_START_BYTES) checkPages(database);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw findStoreError(cause) ?? cause;
  } finally {
    database?.close();
  }
}

export function checkVersion(found: number, known: number, file: string): void {
  if (found <= known) return;
  const backup = findUpgradeBackup(file, known);
  const goBack =
    backup === undefined
      ? ''
      : hint` To go back to the data from before the upgrade instead: ${command('restore', `${backup} --force`)}`;
  throw unusable('The database was written by a newer pdpp.', hint`Update pdpp, then start again.${goBack}`);
}

/** Throws when a page of the file, or of one table, is damaged. Takes about five seconds per gigabyte. */
export function checkPages(database: Database.Database, table = '1'): void {
  if (database.pragma(`quick_check(${table})`, { simple: true }) !== 'ok') {
    throw unusable('The database file is damaged.', 'Restore it from a backup.');
  }
}

/** Checks the two marks in the header, which are written before the file gets its name and never change. */
function checkHeader(file: string): void {
  const header = Buffer.alloc(100);
  const handle = openSync(file, 'r');
  const length = readSync(handle, header, 0, header.length, 0);
  closeSync(handle);
  if (length < header.length || header.toString('latin1', 0, 15) !== 'SQLite format 3') {
    throw unusable('The database file is damaged or not a database.', 'Restore it from a backup.');
  }
  if (header.readUInt32BE(68) !== APPLICATION_ID) {
    throw unusable('The database belongs to another program.', 'Choose another folder with --data.');
  }
}
