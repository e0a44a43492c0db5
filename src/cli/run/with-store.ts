import { type Config, loadConfig, type Settings } from '../../config.ts';
import type { Look } from '../../store/check/check-file.ts';
import type { SqliteStore } from '../../store/open-store.ts';
import type { Call } from './call.ts';

export function readConfig(call: Call): Config {
  return loadConfig(call.values as Settings);
}

/** Runs with the store of the call's data folder, and closes it whatever happens. */
export async function withStore<T>(
  call: Call,
  work: (store: SqliteStore, config: Config) => Promise<T>,
  look: Look = 'every page',
): Promise<T> {
  const config = readConfig(call);
  // Loaded here: what is wrong with the settings is said without a database.
  const { openConfigured } = await import('./open-configured.ts');
  const store = await openConfigured(config, look);
  try {
    return await work(store, config);
  } finally {
    store.close();
  }
}

/** The same for a command that lists a few rows and changes nothing. */
export function withListedStore<T>(call: Call, work: (store: SqliteStore) => Promise<T>): Promise<T> {
  return withStore(call, work, 'first page');
}
