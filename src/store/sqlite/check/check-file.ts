import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { AppError } from '../../../errors.ts';
import { findStoreError, unusable } from '../../store-error.ts';

export const APPLICATION_ID = 0x70647070; // "pdpp"
/** Up to this size every page is checked at the start; larger stores are checked by `pdpp doctor`. */
export const CHECK_AT_START_BYTES = 64 * 2 ** 20;

/** Whoever only lists a few rows does not wait for all the others: SQLite refuses a damaged page when it comes by one. */
export type Look = 'every page' | 'first page';

/**
 * Refuses, without writing to it, whatever is not a whole database of ours at a version we know. Whether it is whole
 * only SQLite can say: the newest pages, the first one among them, may be in the log beside the file, and the
 * file may be shorter than its first page says while a checkpoint is under way or after one was interrupted.
 */
export function checkFile(file: string, version: number, look: Look): void {
  const { size } = statSync(file);
  // SQLite would take an empty file for a new database and throw the log beside it away.
  if (size === 0) throw unusable('The database file is empty.', 'Restore it from a backup or move it away.');
  checkOwner(file);
  let probe: Database.Database | undefined;
  try {
    // Any connection makes -wal and -shm. One that may write takes them away again when it is the last to
    // close, and only then; but it would fold in a log that is there, so beside a log it may only read.
    const readonly = existsSync(`${file}-wal`);
    probe = new Database(file, { readonly, fileMustExist: true, timeout: 5_000 });
    // The first read compares the file and its log with the number of pages there should be.
    checkVersion(probe.pragma('user_version', { simple: true }) as number, version);
    if (look === 'every page' && size <= CHECK_AT_START_BYTES) checkPages(probe);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw findStoreError(cause) ?? cause;
  } finally {
    probe?.close();
  }
}

export function checkVersion(found: number, known: number): void {
  if (found > known)
    throw unusable('The database was written by a newer pdpp.', 'Update pdpp, then start again.');
}

/** Throws when a page is damaged, of the file or of one table. Takes about five seconds per gigabyte. */
export function checkPages(database: Database.Database, table = '1'): void {
  if (database.pragma(`quick_check(${table})`, { simple: true }) !== 'ok') {
    throw unusable('The database file is damaged.', 'Restore it from a backup.');
  }
}

/**
 * Looks at the two marks in the header that are written once, before the file gets its name, and never change: no
 * log can know them better, and a file without them is not opened at all.
 */
function checkOwner(file: string): void {
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
