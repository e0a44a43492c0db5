import { createNetwork } from '../../../src/accounts/network/create-network.ts';
import type { SyncContext, SyncItem, SyncKey, SyncSource } from '../../../src/accounts/sync-source.ts';
import { authority } from './tls-proxy.ts';

interface StoredItem {
  readonly version: string | null;
  readonly records: readonly SyncKey[];
}

interface Stored {
  state: unknown;
  readonly items: Map<string, Map<string, StoredItem>>;
  readonly records: Map<string, Record<string, unknown>>;
}

export interface TestRun {
  readonly put: number;
  readonly removed: number;
  readonly problems: readonly string[];
  readonly notes: readonly string[];
  readonly exports: readonly string[];
}

export function createContext(more: Partial<SyncContext> = {}): SyncContext {
  const lookup = async () => [{ address: '127.0.0.1', family: 4 }];
  return {
    settings: {},
    secret: undefined,
    collections: undefined,
    network: createNetwork({ allowPrivate: true, ca: authority.cert, lookup }),
    timeZone: 'Europe/Berlin',
    now: () => new Date(),
    signal: new AbortController().signal,
    ...more,
  } as SyncContext;
}

const nameKey = ({ stream, key }: SyncKey) => `${stream} ${key}`;

/** Runs a source and stores in memory what it yields, at each checkpoint. */
export function createTestRunner(source: SyncSource, context: SyncContext) {
  let stored: Stored = { state: undefined, items: new Map(), records: new Map() };

  const run = async (
    more: Partial<SyncContext> = {},
    onItem: (item: SyncItem) => void = () => {},
  ): Promise<TestRun> => {
    const result = {
      put: 0,
      removed: 0,
      problems: [] as string[],
      notes: [] as string[],
      exports: [] as string[],
    };
    const plan = await source.plan({ ...context, ...more, state: stored.state });
    const keyOf = (stream: string, data: Record<string, unknown>): SyncKey => {
      const declared = plan.declaration.streams.find(({ name }) => name === stream);
      return { stream, key: String(data[declared?.primary_key[0] ?? '']) };
    };
    const before = stored;
    let pending: SyncItem[] = [];
    const orphans = new Set<string>();
    const items = {
      async *list(collection: string) {
        for (const [item, { version }] of [...(before.items.get(collection) ?? [])].sort())
          yield { item, version };
      },
      find: async (collection: string, ids: readonly string[]) =>
        new Map(
          ids.flatMap((id) => {
            const item = before.items.get(collection)?.get(id);
            return item === undefined ? [] : [[id, item] as const];
          }),
        ),
      collections: async () => [...before.items.keys()],
    };
    const deleteUnused = (keys: Iterable<string>) => {
      const used = new Set(
        [...stored.items.values()]
          .flatMap((all) => [...all.values()])
          .flatMap(({ records }) => records.map(nameKey)),
      );
      for (const key of keys) if (!used.has(key) && stored.records.delete(key)) result.removed += 1;
    };
    const apply = (item: SyncItem) => {
      if (item.kind === 'put') {
        result.put += 1;
        const collection = stored.items.get(item.collection) ?? new Map<string, StoredItem>();
        stored.items.set(item.collection, collection);
        const old = collection.get(item.item)?.records ?? [];
        const records = item.records.map(({ stream, data }) => keyOf(stream, data));
        collection.set(item.item, { version: item.version ?? null, records });
        for (const [index, key] of records.entries())
          stored.records.set(nameKey(key), item.records[index]?.data as Record<string, unknown>);
        deleteUnused(old.map(nameKey));
      } else if (item.kind === 'remove') {
        const old = stored.items.get(item.collection)?.get(item.item)?.records ?? [];
        stored.items.get(item.collection)?.delete(item.item);
        deleteUnused(old.map(nameKey));
      } else if (item.kind === 'reset') {
        for (const { records } of stored.items.get(item.collection)?.values() ?? [])
          for (const key of records) orphans.add(nameKey(key));
        stored.items.delete(item.collection);
      } else if (item.kind === 'record')
        stored.records.set(nameKey(keyOf(item.stream, item.data)), item.data);
    };
    for await (const item of source.sync({
      ...context,
      ...more,
      state: stored.state,
      items,
      readStored: async (stream, keys) =>
        new Map(
          keys.flatMap((key) => {
            const data = stored.records.get(nameKey({ stream, key }));
            return data === undefined ? [] : [[key, data] as const];
          }),
        ),
    })) {
      onItem(item);
      if (item.kind === 'problem') result.problems.push(item.reason);
      if (item.kind === 'note') result.notes.push(item.note);
      if (item.kind === 'exports') result.exports.push(...item.paths);
      pending.push(item);
      if (item.kind !== 'checkpoint') continue;
      // As a store does: everything up to a checkpoint, or nothing of it.
      for (const one of pending) apply(one);
      pending = [];
      // A state must survive a store.
      stored.state = JSON.parse(JSON.stringify(item.state));
    }
    deleteUnused(orphans);
    return result;
  };

  return {
    run,
    records: (stream: string) =>
      [...stored.records].filter(([key]) => key.startsWith(`${stream} `)).map(([, data]) => data),
    titles: (field = 'title') => [...stored.records.values()].map((data) => data[field]).sort(),
    state: () => stored.state,
    forget() {
      stored = { state: undefined, items: new Map(), records: new Map() };
    },
  };
}
