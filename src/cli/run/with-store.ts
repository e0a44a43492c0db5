import { type Config, loadConfig, type Settings } from '../../config.ts';
import type { SqliteStore } from '../../store/open-store.ts';
import type { Call } from './call.ts';

export function readConfig(call: Call): Config {
  return loadConfig(call.values as Settings);
}

/** Runs with the store of the call's data folder, and closes it whatever happens. */
export async function withStore<T>(
  call: Call,
  work: (store: SqliteStore, config: Config) => Promise<T>,
): Promise<T> {
  const config = readConfig(call);
  // Loaded here: what is wrong with the settings is said without a database.
  const { openStore } = await import('../../store/open-store.ts');
  const { setTimeZone } = await import('../../schema-index/edit-catalog.ts');
  const store = await openStore(config.dataDirectory, (message) => console.error(`warning: ${message}`));
  try {
    await setTimeZone(store.write, config.timeZone);
    return await work(store, config);
  } finally {
    store.close();
  }
}
