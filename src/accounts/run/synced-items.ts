import type { CatalogStream } from '../../schema-index/catalog.ts';
import type { ReadStore } from '../../store/store.ts';
import type { SyncedItems, SyncKey } from '../sync-source.ts';

const PAGE_ITEMS = 1_000;

/** Lets a source read the items of previous runs. Each read first calls `flush`, which stores the items of the current run. */
export function createSyncedItems(
  store: ReadStore,
  accountId: string,
  flush: () => Promise<void>,
): SyncedItems {
  return {
    async *list(collection) {
      await flush();
      for (let after = ''; ; ) {
        const page = await store.accounts.listItems(accountId, collection, after, PAGE_ITEMS);
        for (const { item, version } of page) yield { item, version };
        const last = page.at(-1);
        if (last === undefined) return;
        after = last.item;
      }
    },
    async find(collection, items) {
      await flush();
      const names = new Map(
        (await store.catalog.listStreams()).map(({ stream_id, stream }) => [stream_id, stream]),
      );
      const found = new Map<string, { version: string | null; records: SyncKey[] }>();
      for (let at = 0; at < items.length; at += PAGE_ITEMS) {
        const some = items.slice(at, at + PAGE_ITEMS);
        for (const { item, version } of await store.accounts.findItems(accountId, collection, some))
          found.set(item, { version, records: [] });
        for (const one of await store.accounts.listReferences(accountId, collection, some))
          found.get(one.item)?.records.push({ stream: names.get(one.stream_id) ?? '', key: one.key });
      }
      return found;
    },
    async collections() {
      await flush();
      return store.accounts.listCollections(accountId);
    },
  };
}

/** Reads stored records of a connection. */
export async function readStoredRecords(
  store: ReadStore,
  stream: CatalogStream | undefined,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Record<string, unknown>>> {
  if (stream === undefined || keys.length === 0) return new Map();
  const { records } = await store.stored.find(stream.streamId, keys);
  return new Map([...records].map(([key, { data }]) => [key, JSON.parse(data) as Record<string, unknown>]));
}
