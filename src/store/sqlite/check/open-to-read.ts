import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';

/**
 * A connection for who only looks, and leaves the folder as it was. Any connection makes a log and its index; one that
 * may write takes them away again when it is the last to close, but it would also fold in a log that was there.
 */
export function openToRead(file: string): Database.Database {
  return new Database(file, { readonly: existsSync(`${file}-wal`), fileMustExist: true, timeout: 5_000 });
}
