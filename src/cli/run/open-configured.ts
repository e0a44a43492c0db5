import type { Config } from '../../config.ts';
import { setTimeZone } from '../../schema-index/edit-catalog.ts';
import type { CheckDepth } from '../../store/sqlite/check/check-file.ts';
import { findServer } from '../../store/sqlite/folder/folder-lock.ts';
import { openStore, type SqliteStore } from '../../store/sqlite/open-store.ts';

/** The store of the configured folder. A new one is told the owner's zone, which nobody else has to look up. */
export async function openConfigured(config: Config, depth: CheckDepth): Promise<SqliteStore> {
  const warn = (message: string) => console.error(`warning: ${message}`);
  // A server that has the folder looked at every page when it started, or is still at it.
  const isServed = findServer(config.dataDirectory) !== undefined;
  const store = await openStore(config.dataDirectory, warn, isServed ? 'first page' : depth);
  try {
    if ((await store.read.catalog.zones()).timeZone === undefined)
      await setTimeZone(store.write, config.timeZone);
    return store;
  } catch (error) {
    store.close();
    throw error;
  }
}
