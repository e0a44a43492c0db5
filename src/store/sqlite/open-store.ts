import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import type { Kysely } from 'kysely';
import { AppError } from '../../errors.ts';
import { command, hint } from '../../text/hint.ts';
import type { AuditStore } from '../audit-store.ts';
import { deriveCursorKey } from '../cursor-key.ts';
import { unusable } from '../failures.ts';
import { RESTORED_SETTING } from '../setting-names.ts';
import type { ReadStore, Store } from '../store.ts';
import { findStoreError } from '../store-error.ts';
import { createAccountReads } from './account-store.ts';
import { createAuditStore } from './audit-store.ts';
import { BackupUndecided, backUpBeforeUpgrade, type UpgradeChoice } from './backup/before-upgrade.ts';
import { createCatalogReads } from './catalog-store.ts';
import { APPLICATION_ID, type CheckDepth, checkFile, checkVersion } from './check/check-file.ts';
import { Sqlite } from './folder/database-module.ts';
import { type FolderLock, shareFolder } from './folder/folder-lock.ts';
import { createFile, makePrivate, makePrivateFolder, type Warn } from './folder/private-files.ts';
import { findMissingFiles, lossMessages, storeMissing } from './folder/recreated-files.ts';
import { findSecretFile, loadSecret, readSecretFile } from './folder/secret-file.ts';
import { refuseUnfinishedMove } from './folder/unfinished-move.ts';
import { createGrantReads } from './grant-store.ts';
import { createImportReads } from './import-store.ts';
import { auditMigrations, type Migration, migrations, type Upgrade } from './migrations.ts';
import { createOwnerReads } from './owner-store.ts';
import { createRecordReads } from './reads/record-reads.ts';
import { createSearchReads } from './reads/search/search-reads.ts';
import { createCommitCache } from './request-reads.ts';
import { createScans, type ScanRows } from './scan-rows.ts';
import { createKysely, openSqlite } from './sqlite.ts';
import { createStoredReads } from './stored-reads.ts';
import type { Tables } from './tables.ts';
import type { WriteQueue } from './write/write-connection.ts';
import { createWriteStore, type SqliteWriteStore } from './write/write-store.ts';

/** The read side, over a connection that SQLite opens read-only. */
export interface SqliteReadStore extends ReadStore {
  readonly db: Kysely<Tables>;
  readonly raw: Database.Database;
}

/** A store with its connections, for maintenance commands and tests. */
export interface SqliteStore extends Store {
  readonly read: SqliteReadStore;
  readonly write: SqliteWriteStore;
  /** In a separate file, so that an answer never waits for an import's transaction. */
  readonly audit: AuditStore & { readonly raw: Database.Database };
}

export { BackupUndecided, type UpgradeChoice };

/** How long SQLite waits for another process. It blocks the event loop, so the write side waits elsewhere (waitForLock). */
const BUSY_TIMEOUT_MS = 1_000;
/** The size of the log, in pages of 4 KB, at which it is merged into the store: pages that change often are merged once. */
const CHECKPOINT_PAGES = 8_000;
const MAX_CACHED_TOKENS = 500;

/** Opens the store in a folder, or creates one. Other files in the folder are not touched. */
export async function openStore(
  directory: string,
  warn: Warn = () => {},
  depth: CheckDepth = 'every page',
  upgrade: UpgradeChoice = {},
): Promise<SqliteStore> {
  makePrivateFolder(directory, warn);
  refuseUnfinishedMove(directory);
  const lock = shareFolder(directory);
  try {
    return await openFiles(directory, lock, warn, depth, upgrade);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Opens the store in a folder that the caller has locked. */
export async function openFiles(
  directory: string,
  lock: FolderLock,
  warn: Warn,
  depth: CheckDepth = 'every page',
  upgrade: UpgradeChoice = {},
): Promise<SqliteStore> {
  const file = join(directory, 'store.sqlite');
  const auditFile = join(directory, 'audit.sqlite');
  // All files are checked before any is opened for writing.
  const hadStore = existsSync(auditFile) || existsSync(`${file}-wal`);
  if (existsSync(file)) checkFile(file, migrations.length, depth);
  else if (hadStore) {
    throw unusable(
      'The database file is missing.',
      'Restore it from a backup, or choose another folder with --data.',
    );
  }
  if (existsSync(auditFile)) checkFile(auditFile, auditMigrations.length, depth);
  const backup = await backUpBeforeUpgrade(
    directory,
    [
      { file, version: migrations.length },
      { file: auditFile, version: auditMigrations.length },
    ],
    upgrade,
  );
  if (backup !== undefined) warn(`Your data is upgraded. A backup from before is in ${backup}.`);
  const secretFile = findSecretFile(directory);
  if (existsSync(secretFile)) readSecretFile(secretFile);
  const raw = openDatabase(file, migrations, warn);
  const missing = findMissingFiles(directory, raw);
  storeMissing(raw, missing);
  for (const name of missing) warn(lossMessages[name]);
  const secret = loadSecret(secretFile, warn);
  const auditRaw = openDatabase(auditFile, auditMigrations, warn);
  const store = connect(directory, { raw, auditRaw, secret });
  return {
    ...store,
    close() {
      store.close();
      lock.release();
    },
  };
}

/**
 * Opens a store that this process has open, for a thread that writes. Its writers wait in the given queue, together with
 * those of the process.
 */
export function openThreadStore(directory: string, queue: WriteQueue): SqliteStore {
  return connect(
    directory,
    {
      raw: openSqlite(join(directory, 'store.sqlite'), 'write'),
      auditRaw: openSqlite(join(directory, 'audit.sqlite'), 'write'),
      secret: readSecretFile(findSecretFile(directory)),
    },
    queue,
  );
}

interface OpenedFiles {
  readonly raw: Database.Database;
  readonly auditRaw: Database.Database;
  readonly secret: Uint8Array;
}

function connect(directory: string, { raw, auditRaw, secret }: OpenedFiles, queue?: WriteQueue): SqliteStore {
  raw.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  auditRaw.pragma('synchronous = normal');
  const readRaw = openSqlite(raw.name, 'read');
  for (const [database, timeoutMs] of [
    [raw, 0],
    [auditRaw, BUSY_TIMEOUT_MS],
    [readRaw, BUSY_TIMEOUT_MS],
  ] as const)
    database.pragma(`busy_timeout = ${timeoutMs}`);
  const scans = createScans(() => openSqlite(raw.name, 'read'));
  return {
    directory,
    read: createReadStore(readRaw, scans.scanRows),
    write: createWriteStore(raw, queue),
    audit: createAuditStore(auditRaw),
    secret,
    cursorKey: deriveCursorKey(secret, findRestore(raw)),
    isUpToDate: async () => readRaw.pragma('user_version', { simple: true }) === migrations.length,
    close() {
      scans.close();
      for (const database of [readRaw, raw, auditRaw]) database.close();
    },
  };
}

/** Opens only the read side of a store that this process has open: for another thread. */
export function openReadStore(directory: string): { readonly read: ReadStore; readonly close: () => void } {
  const open = () => openSqlite(join(directory, 'store.sqlite'), 'read');
  const raw = open();
  const scans = createScans(open);
  return {
    read: createReadStore(raw, scans.scanRows),
    close() {
      scans.close();
      raw.close();
    },
  };
}

function createReadStore(raw: Database.Database, scanRows: ScanRows): SqliteReadStore {
  const db = createKysely<Tables>(raw);
  const cacheUntilCommit = createCommitCache(raw);
  const [catalog, grants] = [createCatalogReads(db), createGrantReads(db)];
  return {
    db,
    raw,
    records: createRecordReads(db),
    search: createSearchReads(db, scanRows),
    stored: createStoredReads(db),
    catalog: { ...catalog, version: cacheUntilCommit(1, catalog.version) },
    grants: { ...grants, findAccess: cacheUntilCommit(MAX_CACHED_TOKENS, grants.findAccess) },
    owner: createOwnerReads(db),
    imports: createImportReads(db),
    accounts: createAccountReads(db),
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

function createDatabase(file: string, steps: readonly Migration[], upgrade: Upgrade): void {
  createFile(file, (draft) => {
    const database = new Sqlite(draft);
    // Changing it later would need exclusive access to the file.
    database.pragma('journal_mode = wal');
    migrate(database, steps, upgrade);
    database.close();
  });
}

function migrate(database: Database.Database, steps: readonly Migration[], upgrade: Upgrade): void {
  const findMissing = () => {
    const version = database.pragma('user_version', { simple: true }) as number;
    checkVersion(version, steps.length, database.name);
    return steps.slice(version);
  };
  // Checked without the write lock first: a command beside a running import need not wait for it.
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

function findRestore(store: Database.Database): string | undefined {
  return store.prepare('select value from settings where name = ?').pluck().get(RESTORED_SETTING) as
    | string
    | undefined;
}
