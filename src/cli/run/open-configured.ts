import { type AccessEvent, createEventLog } from '../../audit/events.ts';
import { type Config, configOf } from '../../config.ts';
import { setTimeZone } from '../../schema-index/edit-catalog.ts';
import { ownerUnknown } from '../../store/owners/owner-list.ts';
import type { CheckDepth } from '../../store/sqlite/check/check-file.ts';
import { findServer } from '../../store/sqlite/folder/folder-lock.ts';
import { openStore, type SqliteStore } from '../../store/sqlite/open-store.ts';
import type { Store } from '../../store/store.ts';

const warn = (message: string) => console.error(`warning: ${message}`);

/** Opens the configured store. A new store gets the owner's time zone. */
export async function openConfigured(config: Config, depth: CheckDepth): Promise<Store> {
  if (config.database === undefined) return openFolder(config, depth);
  // Loaded here, because only few need its driver.
  const { openPostgres } = await import('./open-postgres.ts');
  return addTimeZone(await openPostgres(config, config.database, warn), config);
}

/** Completes the settings for an owner in PostgreSQL. Throws if there is no owner of this name. */
export async function findOwnerAddress(config: Config): Promise<Config> {
  const { owner: name, database } = config;
  if (name === undefined || database === undefined) return config;
  const { withOwnerList } = await import('./owner-lists.ts');
  return withOwnerList(config, async (owners) => {
    const owner = await owners.find(name);
    if (owner === undefined) throw ownerUnknown();
    return configOf(config, owner);
  });
}

/** Opens the store of the configured folder. A new store gets the owner's time zone. */
export async function openFolder(config: Config, depth: CheckDepth): Promise<SqliteStore> {
  // A running server has checked every page of the database, or is checking them.
  const isServed = findServer(config.dataDirectory) !== undefined;
  return addTimeZone(await openStore(config.dataDirectory, warn, isServed ? 'first page' : depth), config);
}

async function addTimeZone<T extends Store>(store: T, config: Config): Promise<T> {
  try {
    if ((await store.read.catalog.zones()).timeZone === undefined)
      await setTimeZone(store.write, config.timeZone);
    return store;
  } catch (error) {
    store.close();
    throw error;
  }
}

/** Writes an event to the audit for a change that was made on the command line. */
export function logCommandEvent(store: Store, event: Omit<AccessEvent, 'detail'>, now: Date): Promise<void> {
  return createEventLog(store.audit)({ ...event, detail: 'on the command line' }, now);
}
