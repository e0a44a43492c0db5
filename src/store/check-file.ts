import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { AppError } from '../errors.ts';

export const APPLICATION_ID = 0x70647070; // "pdpp"
/** Up to this size every page is checked at the start; larger stores are checked by `pdpp doctor`. */
const CHECK_AT_START_BYTES = 64 * 2 ** 20;

/** Refuses, without writing to it, whatever is not a whole database of ours at a version we know. */
export function checkFile(file: string, version: number): void {
  const size = statSync(file).size;
  if (size === 0) throw unusable('The database file is empty.', 'Restore it from a backup or move it away.');
  const header = readHeader(file, size);
  if (header.readUInt32BE(68) !== APPLICATION_ID) {
    throw unusable('The database belongs to another program.', 'Choose another folder with --data.');
  }
  checkVersion(header.readUInt32BE(60), version);
  if (size > CHECK_AT_START_BYTES) return;
  let probe: Database.Database | undefined;
  try {
    // Any connection makes -wal and -shm. One that may write takes them away again when it is the last to
    // close, and only then; but it would fold in a log that is there, so beside a log it may only read.
    const readonly = existsSync(`${file}-wal`);
    probe = new Database(file, { readonly, fileMustExist: true, timeout: 5_000 });
    checkVersion(probe.pragma('user_version', { simple: true }) as number, version);
    checkPages(probe);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw unusable('The database file is damaged or not a database.', 'Restore it from a backup.', cause);
  } finally {
    probe?.close();
  }
}

export function checkVersion(found: number, known: number): void {
  if (found > known)
    throw unusable('The database was written by a newer pdpp.', 'Update pdpp, then start again.');
}

/** Throws when a page is damaged. Takes about a second per gigabyte. */
export function checkPages(database: Database.Database): void {
  if (database.pragma('quick_check(1)', { simple: true }) !== 'ok') {
    throw unusable('The database file is damaged.', 'Restore it from a backup.');
  }
}

/** SQLite serves a shortened file until it happens on the missing part; the header knows how long it was. */
function readHeader(file: string, size: number): Buffer {
  const header = Buffer.alloc(100);
  const handle = openSync(file, 'r');
  readSync(handle, header, 0, 100, 0);
  closeSync(handle);
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  if (header.toString('latin1', 0, 15) !== 'SQLite format 3' || header.readUInt32BE(28) * pageSize > size) {
    throw unusable('The database file is damaged or not a database.', 'Restore it from a backup.');
  }
  return header;
}

/** Nothing in the folder was changed when this is thrown. */
export function unusable(message: string, hint: string, cause?: unknown): AppError {
  return new AppError('store_unusable', message, { hint, cause });
}
