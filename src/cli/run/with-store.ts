import { readdirSync } from 'node:fs';
import { type Config, configOf, loadConfig, type Settings } from '../../config.ts';
import { AppError } from '../../errors.ts';
import { MAIN_OWNER, ownerUnknown } from '../../store/owners/owner-list.ts';
import type { CheckDepth } from '../../store/sqlite/check/check-file.ts';
import { readOwners } from '../../store/sqlite/folder/owners-file.ts';
import type { SqliteStore } from '../../store/sqlite/open-store.ts';
import type { Store } from '../../store/store.ts';
import { command, type Hint, hint } from '../../text/hint.ts';
import { type Call, getText } from './call.ts';

/** Includes what an interrupted copy or restore leaves. */
const STORE_FILE = /^(store|audit)\.sqlite|^cursor\.key|^server-secret|^restore\.ready/;

/** Returns the settings for the owner that --owner names. The address of one in PostgreSQL is not known yet. */
export function readConfig(call: Call): Config {
  const config = loadConfig(call.values as Settings);
  const name = getText(call, 'owner');
  if (name === undefined || name === MAIN_OWNER) return config;
  if (config.database !== undefined) return { ...config, owner: name };
  const owner = readOwners(config.dataDirectory).find((one) => one.name === name);
  if (owner === undefined) throw ownerUnknown();
  return configOf(config, owner);
}

/** Runs work with the configured store, and closes the store afterwards. */
export async function withStore<T>(
  call: Call,
  work: (store: Store, config: Config) => Promise<T>,
  depth: CheckDepth = 'every page',
): Promise<T> {
  const given = readConfig(call);
  // Loaded here, so that wrong settings are reported without loading the database.
  const { findOwnerAddress, openConfigured } = await import('./open-configured.ts');
  const config = await findOwnerAddress(given);
  const store = await openConfigured(config, depth);
  try {
    return await work(store, config);
  } finally {
    store.close();
  }
}

/** Like `withStore`, but throws if the folder has no store: its name is probably a typing error. */
export function withExistingStore<T>(
  call: Call,
  work: (store: Store, config: Config) => Promise<T>,
  depth: CheckDepth = 'every page',
): Promise<T> {
  const { database, dataDirectory } = readConfig(call);
  if (database === undefined) checkStore(dataDirectory);
  return withStore(call, work, depth);
}

/** Runs work with the store in the data folder, for commands that need its files. */
export async function withFolderStore<T>(
  call: Call,
  work: (store: SqliteStore) => Promise<T>,
  depth: CheckDepth = 'every page',
): Promise<T> {
  const config = readConfig(call);
  checkStore(config.dataDirectory);
  const { openFolder } = await import('./open-configured.ts');
  const store = await openFolder(config, depth);
  try {
    return await work(store);
  } finally {
    store.close();
  }
}

/** Refuses a command that works on the files of a data folder, if the data is in PostgreSQL. */
export function refusePostgres(call: Call, instead: Hint): void {
  if (readConfig(call).database === undefined) return;
  throw new AppError('conflict', 'This command works on a data folder, but your data is in PostgreSQL.', {
    hint: instead,
  });
}

/** Like `withExistingStore`, for commands that only list a few rows. */
export function withStoreForListing<T>(call: Call, work: (store: Store) => Promise<T>): Promise<T> {
  return withExistingStore(call, work, 'first page');
}

/** Returns whether a folder holds files of pdpp. */
export function hasStore(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => STORE_FILE.test(name));
  } catch (error) {
    // Opening the store reports why a folder cannot be read.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

/** Throws if a folder has no store. */
export function checkStore(folder: string): void {
  if (hasStore(folder)) return;
  throw new AppError('store_unusable', 'No pdpp data in this folder.', {
    folder,
    hint: hint`Choose another folder with --data, or start here: ${command('serve')}. To try it with demo data: ${command('demo')}`,
  });
}
