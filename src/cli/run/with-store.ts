import { readdirSync } from 'node:fs';
import { type Config, loadConfig, type Settings } from '../../config.ts';
import { AppError } from '../../errors.ts';
import type { CheckDepth } from '../../store/sqlite/check/check-file.ts';
import type { SqliteStore } from '../../store/sqlite/open-store.ts';
import { command, hint } from '../../text/hint.ts';
import type { Call } from './call.ts';

/** Also what a copy or a restore that was interrupted has left. */
const STORE_FILE = /^(store|audit)\.sqlite|^cursor\.key|^restore\.ready/;

export function readConfig(call: Call): Config {
  return loadConfig(call.values as Settings);
}

/** Runs with the store of the call's data folder, and closes it whatever happens. */
export async function withStore<T>(
  call: Call,
  work: (store: SqliteStore, config: Config) => Promise<T>,
  depth: CheckDepth = 'every page',
): Promise<T> {
  const config = readConfig(call);
  // Loaded here: what is wrong with the settings is said without a database.
  const { openConfigured } = await import('./open-configured.ts');
  const store = await openConfigured(config, depth);
  try {
    return await work(store, config);
  } finally {
    store.close();
  }
}

/** The same for a command that is of no use on a new store: a folder without one is probably a typing error. */
export function withExistingStore<T>(
  call: Call,
  work: (store: SqliteStore, config: Config) => Promise<T>,
  depth: CheckDepth = 'every page',
): Promise<T> {
  checkStore(readConfig(call).dataDirectory);
  return withStore(call, work, depth);
}

/** The same for a command that lists a few rows and changes nothing. */
export function withListedStore<T>(call: Call, work: (store: SqliteStore) => Promise<T>): Promise<T> {
  return withExistingStore(call, work, 'first page');
}

/** Whether a folder holds anything that pdpp has put there. */
export function hasStore(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => STORE_FILE.test(name));
  } catch (error) {
    // What is not a folder, or cannot be read, is explained by opening it.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

function checkStore(folder: string): void {
  if (hasStore(folder)) return;
  throw new AppError('store_unusable', 'There is no store in this folder.', {
    folder,
    hint: hint`Name another folder with --data, or start a new store here: ${command('serve')}. Try: ${command('demo')}`,
  });
}
