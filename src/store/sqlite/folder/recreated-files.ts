import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import type { SqliteStore } from '../open-store.ts';
import { readSetting } from '../settings.ts';
import { findSecretFile, OLD_SECRET_FILE, SECRET_FILE } from './secret-file.ts';

/** Files that a used store always has beside it. */
const requiredFiles = ['audit.sqlite', SECRET_FILE] as const;
export type RequiredFile = (typeof requiredFiles)[number];

const SETTING = 'made_anew';

/** Tells the owner what was lost with a missing file. */
export const lossMessages: Record<RequiredFile, string> = {
  'audit.sqlite':
    'audit.sqlite was missing and was created again: the log of what apps have read so far is lost. If you did not delete it, the folder may be an incomplete or older copy.',
  [SECRET_FILE]:
    'server-secret was missing and was created again: open lists and searches start again, open forms must be reloaded. If you did not delete it, the folder may be an incomplete or older copy.',
};

/**
 * Returns the required files that are missing from a store that was used before. A new store has no settings until it
 * is complete.
 */
export function findMissingFiles(directory: string, store: Database.Database): RequiredFile[] {
  const wasUsed = store.prepare('select 1 from settings limit 1').get() !== undefined;
  const hasFile = (name: RequiredFile) =>
    existsSync(name === SECRET_FILE ? findSecretFile(directory) : join(directory, name));
  return wasUsed ? requiredFiles.filter((name) => !hasFile(name)) : [];
}

/**
 * Stores which files were missing until a server reports it to the owner: a short command may be the first to notice.
 */
export function storeMissing(store: Database.Database, missing: readonly RequiredFile[]): void {
  if (missing.length === 0) return;
  const known = store.prepare('select value from settings where name = ?').pluck().get(SETTING);
  const names = [...new Set([...parseMissing(known), ...missing])];
  store
    .prepare('insert into settings values (?, ?) on conflict do update set value = excluded.value')
    .run(SETTING, names.join(' '));
}

export async function readMissing({ db }: SqliteStore['read']): Promise<RequiredFile[]> {
  return parseMissing(await readSetting(db, SETTING));
}

function parseMissing(text: unknown): RequiredFile[] {
  const names = typeof text === 'string' ? text.replace(OLD_SECRET_FILE, SECRET_FILE).split(' ') : [];
  return requiredFiles.filter((name) => names.includes(name));
}

export async function clearMissing({ db }: SqliteStore['write']): Promise<void> {
  await db.deleteFrom('settings').where('name', '=', SETTING).execute();
}
