import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../../errors.ts';
import { command, hint } from '../../../text/hint.ts';
import { version } from '../../../version.ts';
import { openToRead } from '../check/check-file.ts';
import { UPGRADE_BACKUPS } from '../folder/upgrade-backups.ts';
import { makeBackup } from './make-backup.ts';

/** How the owner wants to upgrade a store. By default, a store below this size is backed up inside its folder. */
export interface UpgradeChoice {
  readonly backupTo?: string | undefined;
  readonly withoutBackup?: boolean | undefined;
}

const MAX_AUTOMATIC_BYTES = 2e9;

/** A database file of the store and the version of its tables that this program writes. */
export interface ExpectedFile {
  readonly file: string;
  readonly version: number;
}

/**
 * Makes a verified backup if a file has an older version than expected: it will be migrated. Throws if the store is too
 * large to be copied without asking. Returns where the backup is.
 */
export async function backUpBeforeUpgrade(
  directory: string,
  files: readonly ExpectedFile[],
  { backupTo, withoutBackup = false }: UpgradeChoice,
): Promise<string | undefined> {
  if (withoutBackup || !files.some(isOutdated)) return;
  if (backupTo === undefined && sizeOf(directory) >= MAX_AUTOMATIC_BYTES) throw tooLarge();
  const parent = backupTo ?? join(directory, UPGRADE_BACKUPS);
  try {
    return (await makeBackup({ directory }, parent, { now: new Date(), version })).path;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'disk_full') throw error;
    throw new AppError('disk_full', 'Not enough disk space for the backup before the upgrade.', {
      hint: hint`Free some space, or name another folder: ${command('upgrade', '--backup-to FOLDER')}.`,
      cause: error,
    });
  }
}

function isOutdated({ file, version: expected }: ExpectedFile): boolean {
  if (!existsSync(file)) return false;
  const database = openToRead(file);
  try {
    return (database.pragma('user_version', { simple: true }) as number) < expected;
  } finally {
    database.close();
  }
}

function sizeOf(directory: string): number {
  const names = readdirSync(directory).filter((name) => /^(store|audit)\.sqlite(-wal)?$/.test(name));
  return names.reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
}

/** The owner has to decide whether a large store is backed up. */
export class BackupUndecided extends AppError {}

function tooLarge(): AppError {
  return new BackupUndecided(
    'store_unusable',
    'This version of pdpp changes how your data is stored, and there is too much of it for an automatic backup.',
    {
      hint: hint`Stop the server and run ${command('upgrade', '--backup-to FOLDER')}, or ${command('upgrade', '--without-backup')} if you have a backup. Nothing was changed.`,
    },
  );
}
