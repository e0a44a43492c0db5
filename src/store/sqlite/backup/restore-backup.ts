import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEventLog } from '../../../audit/events.ts';
import { readKnownEndings } from '../../../audit/known-endings.ts';
import { AppError } from '../../../errors.ts';
import { endAllAccess, reapplyEndings } from '../../../grants/end-access.ts';
import { RESTORED_SETTING } from '../../setting-names.ts';
import { checkPages } from '../check/check-file.ts';
import { ASIDE_NOTE, finishRestore, isRestoreWaiting, READY, storeFiles } from '../folder/finish-restore.ts';
import { lockFolder } from '../folder/folder-lock.ts';
import { adoptMarks } from '../folder/folder-mark.ts';
import { makePrivateFolder, syncToDisk } from '../folder/private-files.ts';
import { findSecretFile, OLD_SECRET_FILE, SECRET_FILE } from '../folder/secret-file.ts';
import { openStore, type SqliteStore } from '../open-store.ts';
import { writeSetting } from '../settings.ts';
import { copyAccess } from './access-tables.ts';
import { copyDatabase } from './copy-database.ts';
import { checkBackup } from './manifest.ts';
import { type PresentStore, readPresent } from './present-store.ts';

export interface RestoreOptions {
  /** Replaces the store in the folder; its files are moved aside. */
  readonly force: boolean;
  /** Keeps the access in the backup if it is unknown which access has ended since. */
  readonly keepAccess: boolean;
  readonly now: Date;
}

export interface Restored {
  readonly records: number;
  /** The folder of the old files, if there were any. */
  readonly aside: string | undefined;
  /** `present`: as in the store that was replaced. `ended`: all access has ended. `kept`: as in the backup. */
  readonly access: 'present' | 'ended' | 'kept';
}

const STAGING = 'restore.new';

/**
 * Replaces the store in a folder with a backup. The new store is prepared and checked in a folder beside it, then
 * published by one rename. If the process dies after the rename, the next process to open the store finishes.
 */
export async function restoreBackup(
  backup: string,
  directory: string,
  options: RestoreOptions,
): Promise<Restored> {
  await checkBackup(backup);
  makePrivateFolder(directory, () => {});
  const lock = lockFolder(directory);
  const staging = join(directory, STAGING);
  try {
    if (isRestoreWaiting(directory)) finishRestore(directory);
    const replaces = [...storeFiles, OLD_SECRET_FILE].some((name) => existsSync(join(directory, name)));
    if (replaces && !options.force) throw storeExists();
    // An interrupted restore may have left it.
    rmSync(staging, { recursive: true, force: true });
    copyIn(backup, staging);
    const prepared = await prepare(staging, directory, options);
    const aside = replaces ? `replaced-${options.now.toISOString().replaceAll(/[:.]/g, '-')}` : undefined;
    writeFileSync(join(staging, ASIDE_NOTE), aside ?? 'replaced', { mode: 0o600 });
    for (const name of [...storeFiles, ASIDE_NOTE]) syncToDisk(join(staging, name));
    syncToDisk(staging);
    renameSync(staging, join(directory, READY));
    syncToDisk(directory);
    finishRestore(directory);
    return { ...prepared, aside: aside && join(directory, aside) };
  } finally {
    rmSync(staging, { recursive: true, force: true });
    lock.release();
  }
}

/** Copies the files of a backup, including the WAL files of a plain copy of a folder, which must not be in use. */
function copyIn(backup: string, staging: string): void {
  const lock = existsSync(join(backup, 'folder.lock')) ? lockFolder(backup) : undefined;
  try {
    mkdirSync(staging, { mode: 0o700 });
    for (const name of storeFiles.flatMap((one) => [one, `${one}-wal`])) {
      const file = name === SECRET_FILE ? findSecretFile(backup) : join(backup, name);
      if (existsSync(file)) copyFileSync(file, join(staging, name));
    }
  } finally {
    lock?.release();
  }
}

/** Opens the copy, which upgrades it, and decides which access it keeps. */
async function prepare(
  staging: string,
  directory: string,
  options: RestoreOptions,
): Promise<Pick<Restored, 'records' | 'access'>> {
  const present = await readPresent(directory, staging);
  try {
    if (present.audit !== undefined) {
      for (const suffix of ['', '-wal']) rmSync(join(staging, `audit.sqlite${suffix}`), { force: true });
      await copyDatabase(present.audit, join(staging, 'audit.sqlite'), ['audit', 'events']);
    }
    const store = await openStore(staging, () => {}, 'every page', { withoutBackup: true });
    try {
      for (const { raw } of [store.write, store.audit]) checkPages(raw);
      const access = await settleAccess(store, present, options);
      await markRestored(store, directory, options.now);
      const records = store.write.raw.prepare('select count(*) from records').pluck().get() as number;
      return { records, access };
    } finally {
      store.close();
      for (const name of readdirSync(staging)) {
        if (!storeFiles.some((file) => file === name)) rmSync(join(staging, name), { recursive: true });
      }
    }
  } finally {
    present.close();
  }
}

async function settleAccess(
  store: SqliteStore,
  present: PresentStore,
  { keepAccess, now }: RestoreOptions,
): Promise<Restored['access']> {
  if (present.store !== undefined) {
    copyAccess(present.store, store.write.raw);
    return 'present';
  }
  if (!keepAccess) await endAllAccess(store.write, now);
  // Access that ended according to the log stays ended in any case.
  await reapplyEndings(store.write, await readKnownEndings(store.audit, now));
  return keepAccess ? 'kept' : 'ended';
}

/** Invalidates earlier cursors, and makes sure that the folder is not mistaken for a copy. */
async function markRestored(store: SqliteStore, directory: string, now: Date): Promise<void> {
  await writeSetting(store.write.db, RESTORED_SETTING, randomUUID());
  await adoptMarks(store, directory);
  await createEventLog(store.audit)({ kind: 'restored' }, now);
}

function storeExists(): AppError {
  return new AppError('conflict', 'The data folder already contains a store.', {
    hint: 'Add --force to replace it; the old files are kept in a separate folder. Or choose another folder with --data.',
  });
}
