import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import type { Kysely } from 'kysely';
import { AppError } from '../errors.ts';
import { auditMigrations, migrations } from './migrations.ts';
import { createKysely, openSqlite } from './sqlite.ts';
import type { AuditTables, Tables } from './tables.ts';

/** The read side: a connection that SQLite itself keeps from writing. */
export interface ReadStore {
  readonly db: Kysely<Tables>;
}

/** The write side: ingest, grants and set-up hold this; nothing that answers an AI app does. */
export interface WriteStore {
  readonly db: Kysely<Tables>;
  readonly raw: Database.Database;
}

/** What was read by whom. A file of its own, so that answering never waits for an import's transaction. */
export interface AuditStore {
  readonly raw: Database.Database;
  readonly db: Kysely<AuditTables>;
}

export interface Store {
  readonly directory: string;
  readonly read: ReadStore;
  readonly write: WriteStore;
  readonly audit: AuditStore;
  /** Encrypts cursors. It lives beside the database, not in it. */
  readonly cursorKey: Uint8Array;
  close(): void;
}

type Warn = (message: string) => void;

const APPLICATION_ID = 0x70647070; // "pdpp"
/** Up to this size every page is checked at the start; larger stores are checked by `pdpp doctor`. */
const CHECK_AT_START_BYTES = 64 * 2 ** 20;

/** Opens the store in a folder, creating it when there is none. Anything else found there is left untouched. */
export function openStore(directory: string, warn: Warn = () => {}): Store {
  makePrivateFolder(directory, warn);
  const file = join(directory, 'store.sqlite');
  const auditFile = join(directory, 'audit.sqlite');
  // Everything is looked at before anything is opened for writing.
  if (existsSync(file)) checkFile(file, migrations.length);
  else if (existsSync(auditFile) || existsSync(`${file}-wal`)) {
    throw unusable(
      'The database file is missing.',
      'Restore it from a backup, or choose another folder with --data.',
    );
  }
  if (existsSync(auditFile)) checkFile(auditFile, auditMigrations.length);
  const cursorKey = loadKey(join(directory, 'cursor.key'), warn);
  const raw = openDatabase(file, migrations, warn);
  const auditRaw = openDatabase(auditFile, auditMigrations, warn);
  auditRaw.pragma('synchronous = normal');
  const readRaw = openSqlite(file, 'read');
  return {
    directory,
    read: { db: createKysely(readRaw) },
    write: { db: createKysely(raw), raw },
    audit: { db: createKysely(auditRaw), raw: auditRaw },
    cursorKey,
    close() {
      for (const database of [readRaw, raw, auditRaw]) database.close();
    },
  };
}

function openDatabase(file: string, steps: readonly string[], warn: Warn): Database.Database {
  if (!existsSync(file)) createDatabase(file, steps);
  makePrivate(file, 0o600, warn);
  const database = openSqlite(file, 'write');
  try {
    migrate(database, steps);
  } catch (cause) {
    database.close();
    throw unusable('The database could not be brought up to date.', 'Run pdpp doctor.', cause);
  }
  return database;
}

/** Made under another name first: a start that dies half-way must not leave a file that looks like ours. */
function createDatabase(file: string, steps: readonly string[]): void {
  const draft = `${file}.new`;
  rmSync(draft, { force: true });
  closeSync(openSync(draft, 'wx', 0o600));
  const database = new Database(draft);
  migrate(database, steps);
  database.close();
  renameSync(draft, file);
}

/** Refuses, without opening for writing, whatever is not a whole database of ours at a version we know. */
function checkFile(file: string, version: number): void {
  let probe: Database.Database | undefined;
  const hadLog = existsSync(`${file}-wal`);
  try {
    const size = statSync(file).size;
    if (size === 0)
      throw unusable('The database file is empty.', 'Restore it from a backup or move it away.');
    checkLength(file, size);
    probe = new Database(file, { readonly: true, fileMustExist: true, timeout: 5_000 });
    if (probe.pragma('application_id', { simple: true }) !== APPLICATION_ID) {
      throw unusable('The database belongs to another program.', 'Choose another folder with --data.');
    }
    if ((probe.pragma('user_version', { simple: true }) as number) > version) {
      throw unusable('The database was written by a newer pdpp.', 'Update pdpp, then start again.');
    }
    if (size <= CHECK_AT_START_BYTES) checkPages(probe);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw unusable('The database file is damaged or not a database.', 'Restore it from a backup.', cause);
  } finally {
    probe?.close();
    // Even a reader makes these beside a database with a write-ahead log, and leaves them behind.
    if (probe !== undefined && !hadLog)
      for (const end of ['-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
  }
}

/** Throws when a page is damaged. Takes about a second per gigabyte. */
export function checkPages(database: Database.Database): void {
  if (database.pragma('quick_check(1)', { simple: true }) !== 'ok') {
    throw unusable('The database file is damaged.', 'Restore it from a backup.');
  }
}

/** SQLite serves a shortened file until it happens on the missing part; the header knows how long it was. */
function checkLength(file: string, size: number): void {
  const header = Buffer.alloc(100);
  const handle = openSync(file, 'r');
  readSync(handle, header, 0, 100, 0);
  closeSync(handle);
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  if (header.toString('latin1', 0, 15) !== 'SQLite format 3' || header.readUInt32BE(28) * pageSize > size) {
    throw unusable('The database file is damaged or not a database.', 'Restore it from a backup.');
  }
}

function migrate(database: Database.Database, steps: readonly string[]): void {
  const run = database.transaction(() => {
    const version = database.pragma('user_version', { simple: true }) as number;
    for (const step of steps.slice(version)) database.exec(step);
    database.pragma(`user_version = ${steps.length}`);
    database.pragma(`application_id = ${APPLICATION_ID}`);
  });
  run.immediate();
}

function makePrivateFolder(directory: string, warn: Warn): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw unusable(
      'The data folder cannot be made or is not a folder.',
      'Choose another with --data.',
      cause,
    );
  }
  makePrivate(directory, 0o700, warn);
}

/** SQLite gives its -wal and -shm files the mode of the database, so this covers them too. */
function makePrivate(path: string, mode: number, warn: Warn): void {
  if ((statSync(path).mode & 0o777 & ~mode) === 0) return;
  chmodSync(path, mode);
  warn(`${basename(path)} could be read by others; its mode is now ${mode.toString(8)}.`);
}

function loadKey(file: string, warn: Warn): Uint8Array {
  if (!existsSync(file)) {
    const handle = openSync(file, 'wx', 0o600);
    writeSync(handle, randomBytes(32));
    closeSync(handle);
  }
  makePrivate(file, 0o600, warn);
  const key = readFileSync(file);
  if (key.length !== 32)
    throw unusable('cursor.key is not a key of 32 bytes.', 'Delete it; running pages start again.');
  return key;
}

function unusable(message: string, hint: string, cause?: unknown): AppError {
  return new AppError('store_unusable', message, { hint, cause });
}
