import { readdirSync } from 'node:fs';
import { type Config, loadConfig, type Settings } from '../../config.ts';
import { AppError } from '../../errors.ts';
import type { CheckDepth } from '../../store/sqlite/check/check-file.ts';
import type { SqliteStore } from '../../store/sqlite/open-store.ts';
import { command, hint } from '../../text/hint.ts';
import type { Call } from './call.ts';

/** Includes what an interrupted copy or restore leaves. */
const STORE_FILE = /^(store|audit)\.sqlite|^cursor\.key|^server-secret|^restore\.ready/;

export function readConfig(call: Call): Config {
  return loadConfig(call.values as Settings);
}

/** Runs work with the store of the data folder, and closes the store afterwards. */
export async function withStore<T>(
  call: Call,
  work: (store: SqliteStore, config: Config) => Promise<T>,
  depth: CheckDepth = 'every page',
): Promise<T> {
  const config = readConfig(call);
  // Loaded here, so that wrong settings are reported without loading the database.
  const { openConfigured } = await import('./open-configured.ts');
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
  work: (store: SqliteStore, config: Config) => Promise<T>,
  depth: CheckDepth = 'every page',
): Promise<T> {
  checkStore(readConfig(call).dataDirectory);
  return withStore(call, work, depth);
}

/** Like `withExistingStore`, for commands that only list a few rows. */
export function withListedStore<T>(call: Call, work: (store: SqliteStore) => Promise<T>): Promise<T> {
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

function checkStore(folder: string): void {
  if (hasStore(folder)) return;
  throw new AppError('store_unusable', 'No pdpp data in this folder.', {
    folder,
    hint: hint`Choose another folder with --data, or start here: ${command('serve')}. To try it with demo data: ${command('demo')}`,
  });
}
