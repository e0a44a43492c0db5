import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEventLog } from '../../../audit/events.ts';
import { readKnownEndings } from '../../../audit/known-endings.ts';
import { AppError } from '../../../errors.ts';
import { endAllAccess } from '../../../grants/end-all-access.ts';
import { reapplyEndings } from '../../../grants/reapply-endings.ts';
import { checkPages } from '../check/check-file.ts';
import { ASIDE_NOTE, finishRestore, isRestoreWaiting, READY, storeFiles } from '../folder/finish-restore.ts';
import { ownFolder } from '../folder/folder-lock.ts';
import { adoptMarks } from '../folder/folder-mark.ts';
import { findSecretFile, OLD_SECRET_FILE, SECRET_FILE } from '../folder/secret-file.ts';
import { syncFile, syncFolder } from '../folder/sync-file.ts';
import { makePrivateFolder, openStore, RESTORED_SETTING, type SqliteStore } from '../open-store.ts';
import { writeSetting } from '../settings.ts';
import { carryAccess } from './access-tables.ts';
import { copyDatabase } from './copy-database.ts';
import { checkBackup } from './manifest.ts';
import { type PresentStore, readPresent } from './present-store.ts';

export interface RestoreOptions {
  /** Replaces what is there; the old files are kept aside. */
  readonly force: boolean;
  /** Where nothing is known of what has ended since: let the access of the backup be live again. */
  readonly keepAccess: boolean;
  readonly now: Date;
}

export interface Restored {
  readonly records: number;
  /** Where the old files are, if there were any. */
  readonly aside: string | undefined;
  /** `present`: as in the folder that was replaced. `ended`: all of it. `kept`: as in the backup. */
  readonly access: 'present' | 'ended' | 'kept';
}

const STAGING = 'restore.new';

/**
 * Puts a backup in the place of the store in a folder. Everything is made ready and checked in a folder beside; one
 * rename then decides. Killed before it, nothing has happened; killed after it, the next to open the folder finishes.
 */
export async function restoreBackup(
  backup: string,
  directory: string,
  options: RestoreOptions,
): Promise<Restored> {
  await checkBackup(backup);
  makePrivateFolder(directory, () => {});
  const lock = ownFolder(directory);
  const staging = join(directory, STAGING);
  try {
    if (isRestoreWaiting(directory)) finishRestore(directory);
    const replaces = [...storeFiles, OLD_SECRET_FILE].some((name) => existsSync(join(directory, name)));
    if (replaces && !options.force) throw holdsAStore();
    // What one that was killed has left.
    rmSync(staging, { recursive: true, force: true });
    copyIn(backup, staging);
    const made = await prepare(staging, directory, options);
    const aside = replaces ? `replaced-${options.now.toISOString().replaceAll(/[:.]/g, '-')}` : undefined;
    writeFileSync(join(staging, ASIDE_NOTE), aside ?? 'replaced', { mode: 0o600 });
    for (const name of [...storeFiles, ASIDE_NOTE]) syncFile(join(staging, name));
    syncFolder(staging);
    renameSync(staging, join(directory, READY));
    syncFolder(directory);
    finishRestore(directory);
    return { ...made, aside: aside && join(directory, aside) };
  } finally {
    rmSync(staging, { recursive: true, force: true });
    lock.release();
  }
}

/** A plain copy of a folder may have logs beside its databases; they belong to it. One that is in use is no copy. */
function copyIn(backup: string, staging: string): void {
  const lock = existsSync(join(backup, 'folder.lock')) ? ownFolder(backup) : undefined;
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

/** Opens the copy the ordinary way, which brings it up to date, and settles who may read. */
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
    const store = await openStore(staging);
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
    carryAccess(present.store, store.write.raw);
    return 'present';
  }
  if (!keepAccess) await endAllAccess(store.write, now);
  // What the log knows to have ended stays ended in any case.
  await reapplyEndings(store.write, await readKnownEndings(store.audit, now));
  return keepAccess ? 'kept' : 'ended';
}

/** Cursors of before mean nothing now, and this is not a copy that somebody slipped in. */
async function markRestored(store: SqliteStore, directory: string, now: Date): Promise<void> {
  await writeSetting(store.write, RESTORED_SETTING, randomUUID());
  await adoptMarks(store, directory);
  await createEventLog(store.audit)({ kind: 'restored' }, now);
}

function holdsAStore(): AppError {
  return new AppError('conflict', 'The data folder holds a store already.', {
    hint: 'Add --force to replace it; the old files are kept aside. Or choose another folder with --data.',
  });
}
