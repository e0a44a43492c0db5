import { type AccessEvent, createEventLog } from '../../audit/events.ts';
import type { Config } from '../../config.ts';
import { setTimeZone } from '../../schema-index/edit-catalog.ts';
import type { CheckDepth } from '../../store/sqlite/check/check-file.ts';
import { findServer } from '../../store/sqlite/folder/folder-lock.ts';
import { openStore, type SqliteStore } from '../../store/sqlite/open-store.ts';
import type { Store } from '../../store/store.ts';

/** Opens the store of the configured folder. A new store gets the owner's time zone. */
export async function openConfigured(config: Config, depth: CheckDepth): Promise<SqliteStore> {
  const warn = (message: string) => console.error(`warning: ${message}`);
  // A running server has checked every page of the database, or is checking them.
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

/** Writes an event to the audit for a change made on the command line, as pages do for theirs. */
export function logCommandEvent(store: Store, event: Omit<AccessEvent, 'detail'>, now: Date): Promise<void> {
  return createEventLog(store.audit)({ ...event, detail: 'on the command line' }, now);
}
