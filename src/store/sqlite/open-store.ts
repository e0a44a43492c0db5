import { createHmac, randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import type { Kysely } from 'kysely';
import { AppError } from '../../errors.ts';
import { command, hint } from '../../text/hint.ts';
import type { AuditStore } from '../audit-store.ts';
import type { ReadStore, Store } from '../store.ts';
import { findStoreError, unusable } from '../store-error.ts';
import { createAuditReads } from './audit-reads.ts';
import { createAuditWrites } from './audit-writes.ts';
import { createCatalogReads } from './catalog-store.ts';
import { APPLICATION_ID, checkFile, checkVersion, type Look } from './check/check-file.ts';
import { shareFolder } from './folder/folder-lock.ts';
import type { HeldLock } from './folder/held-lock.ts';
import { findLost, meaningOfLoss, rememberLost } from './folder/recreated-files.ts';
import { findSecretFile } from './folder/secret-file.ts';
import { createGrantReads } from './grant-store.ts';
import { createImportReads } from './import-store.ts';
import { auditMigrations, type Migration, migrations, type Upgrade } from './migrations.ts';
import { createOwnerReads } from './owner-store.ts';
import { createRecordReads } from './reads/record-reads.ts';
import { createSearchReads } from './reads/search/search-reads.ts';
import { createScans, type ScanRows } from './scan-rows.ts';
import { createKysely, openSqlite } from './sqlite.ts';
import { createStoredReads } from './stored-reads.ts';
import type { Tables } from './tables.ts';
import { createWriteStore, type SqliteWriteStore } from './write/write-store.ts';

/** The read side, over a connection that SQLite itself keeps from writing. */
export interface SqliteReadStore extends ReadStore {
  readonly db: Kysely<Tables>;
  readonly raw: Database.Database;
}

/** A store with its connections, for maintenance and for tests. */
export interface SqliteStore extends Store {
  readonly read: SqliteReadStore;
  readonly write: SqliteWriteStore;
  /** In a file of its own, so that an answer never waits for an import's transaction. */
  readonly audit: AuditStore & { readonly raw: Database.Database };
}

type Warn = (message: string) => void;

/**
 * For how long SQLite itself may wait for another process once the store is open. The process does nothing else
 * meanwhile, so it is short; whoever writes records or grants waits in a way that lets others go on.
 */
const HELD_UP_MS = 1_000;
/** How long the log beside the store grows before it is brought in, in pages of 4 KB. */
const LOG_PAGES = 8_000;
/** Which restore the data comes from; absent where there was none. */
export const RESTORED_SETTING = 'restored';

/** Opens the store in a folder, creating it when there is none. Anything else found there is left untouched. */
export async function openStore(
  directory: string,
  warn: Warn = () => {},
  look: Look = 'every page',
): Promise<SqliteStore> {
  makePrivateFolder(directory, warn);
  const lock = shareFolder(directory);
  try {
    return await openFiles(directory, lock, warn, look);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** The same for whoever has the folder already. */
export async function openFiles(
  directory: string,
  lock: HeldLock,
  warn: Warn,
  look: Look = 'every page',
): Promise<SqliteStore> {
  const file = join(directory, 'store.sqlite');
  const auditFile = join(directory, 'audit.sqlite');
  // Everything is looked at before anything is opened for writing.
  const heldOne = existsSync(auditFile) || existsSync(`${file}-wal`);
  if (existsSync(file)) checkFile(file, migrations.length, look);
  else if (heldOne) {
    throw unusable(
      'The database file is missing.',
      'Restore it from a backup, or choose another folder with --data.',
    );
  }
  if (existsSync(auditFile)) checkFile(auditFile, auditMigrations.length, look);
  const secretFile = findSecretFile(directory);
  if (existsSync(secretFile)) checkSecret(secretFile);
  const raw = openDatabase(file, migrations, warn);
  // Batch after batch of an import changes the same pages: they go into the file once for many, and not each time.
  raw.pragma(`wal_autocheckpoint = ${LOG_PAGES}`);
  const lost = findLost(directory, raw);
  rememberLost(raw, lost);
  for (const name of lost) warn(meaningOfLoss[name]);
  const secret = loadSecret(secretFile, warn);
  const auditRaw = openDatabase(auditFile, auditMigrations, warn);
  auditRaw.pragma('synchronous = normal');
  const readRaw = openSqlite(file, 'read');
  for (const [database, patience] of [
    [raw, 0],
    [auditRaw, HELD_UP_MS],
    [readRaw, HELD_UP_MS],
  ] as const)
    database.pragma(`busy_timeout = ${patience}`);
  const scans = createScans(() => openSqlite(file, 'read'));
  return {
    directory,
    read: createReadStore(readRaw, scans.scanRows),
    write: createWriteStore(raw),
    audit: { ...createAuditReads(createKysely(auditRaw)), ...createAuditWrites(auditRaw), raw: auditRaw },
    secret,
    cursorKey: deriveCursorKey(secret, raw),
    close() {
      scans.close();
      for (const database of [readRaw, raw, auditRaw]) database.close();
      lock.release();
    },
  };
}

function createReadStore(raw: Database.Database, scanRows: ScanRows): SqliteReadStore {
  const db = createKysely<Tables>(raw);
  return {
    db,
    raw,
    records: createRecordReads(db),
    search: createSearchReads(db, scanRows),
    stored: createStoredReads(db),
    catalog: createCatalogReads(db),
    grants: createGrantReads(db),
    owner: createOwnerReads(db),
    imports: createImportReads(db),
  };
}

function openDatabase(file: string, steps: readonly Migration[], warn: Warn): Database.Database {
  const upgrade = { report: warn };
  if (!existsSync(file)) createDatabase(file, steps, upgrade);
  makePrivate(file, 0o600, warn);
  const database = openSqlite(file, 'write');
  try {
    migrate(database, steps, upgrade);
  } catch (cause) {
    database.close();
    if (cause instanceof AppError) throw cause;
    throw (
      findStoreError(cause) ??
      unusable('The database could not be brought up to date.', hint`Run ${command('doctor')}.`, cause)
    );
  }
  return database;
}

/** Made under another name first: a start that dies half-way must not leave a file that looks like ours. */
function createDatabase(file: string, steps: readonly Migration[], upgrade: Upgrade): void {
  putInPlace(file, (draft) => {
    const database = new Database(draft);
    // Set here once: to change it later, a process would have to be alone with the file.
    database.pragma('journal_mode = wal');
    migrate(database, steps, upgrade);
    database.close();
  });
}

/** Gives a new file its name only when it is whole, and only if no other process was first. */
function putInPlace(file: string, fill: (draft: string) => void): void {
  const draft = `${file}.${process.pid}.new`;
  const forget = () => {
    for (const end of ['', '-wal', '-shm']) rmSync(`${draft}${end}`, { force: true });
  };
  forget();
  closeSync(openSync(draft, 'wx', 0o600));
  try {
    fill(draft);
    // On the disk before it has its name, and the name before anything relies on it: after a power cut there is
    // no file that is empty.
    flush(draft);
    linkSync(draft, file);
    flush(dirname(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    forget();
  }
}

function flush(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function migrate(database: Database.Database, steps: readonly Migration[], upgrade: Upgrade): void {
  const findMissing = () => {
    const version = database.pragma('user_version', { simple: true }) as number;
    checkVersion(version, steps.length);
    return steps.slice(version);
  };
  // Looked at first: a command beside a running import must not wait for its turn to write only to write nothing.
  if (findMissing().length === 0) return;
  const run = database.transaction(() => {
    const missing = findMissing();
    if (missing.length === 0) return;
    for (const step of missing) {
      if (typeof step === 'string') database.exec(step);
      else step(database, upgrade);
    }
    database.pragma(`user_version = ${steps.length}`);
    database.pragma(`application_id = ${APPLICATION_ID}`);
  });
  run.immediate();
}

export function makePrivateFolder(directory: string, warn: Warn): void {
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

function loadSecret(file: string, warn: Warn): Uint8Array {
  if (!existsSync(file)) putInPlace(file, (draft) => writeFileSync(draft, randomBytes(32)));
  makePrivate(file, 0o600, warn);
  return checkSecret(file);
}

function checkSecret(file: string): Uint8Array {
  const secret = readFileSync(file);
  if (secret.length !== 32)
    throw unusable(
      `${basename(file)} must have exactly 32 bytes.`,
      'Delete it: a new one is created, and open lists and forms start again.',
    );
  return secret;
}

function deriveCursorKey(key: Uint8Array, store: Database.Database): Uint8Array {
  const restored = store.prepare('select value from settings where name = ?').pluck().get(RESTORED_SETTING);
  return typeof restored === 'string' ? createHmac('sha256', key).update(restored).digest() : key;
}
