import type { RecordReference } from '../../store/accounts/account-store.ts';
import type { Store } from '../../store/store.ts';

/** Keys of records by stream, and for each whether the record existed before an account stored it. */
export class RecordSet {
  readonly #streams = new Map<number, Map<string, boolean>>();

  /** Adds a record. If it is there already, the first value stays. */
  add(streamId: number, key: string, existedBefore: boolean): void {
    let keys = this.#streams.get(streamId);
    if (keys === undefined) {
      keys = new Map();
      this.#streams.set(streamId, keys);
    }
    if (!keys.has(key)) keys.set(key, existedBefore);
  }

  find(streamId: number, key: string): boolean | undefined {
    return this.#streams.get(streamId)?.get(key);
  }

  streams(): [streamId: number, keys: ReadonlyMap<string, boolean>][] {
    return [...this.#streams];
  }
}

/** The items that a commit puts and removes. */
export interface ItemChanges {
  readonly puts: ReadonlyMap<string, PutItem>;
  readonly removed: ReadonlyMap<string, ItemId>;
}

export interface ItemId {
  readonly collection: string;
  readonly item: string;
}

export interface PutItem extends ItemId {
  readonly version: string | null;
  readonly records: readonly { readonly streamId: number; readonly key: string }[];
}

/**
 * Writes items with references to their records, as part of the current transaction. `stored` has the records that were
 * just written, and whether each existed before. Returns the records that these items referenced before.
 */
export async function writeItems(
  store: Store,
  accountId: string,
  { puts, removed }: ItemChanges,
  stored: RecordSet,
): Promise<RecordSet> {
  const { accounts } = store.write;
  const referenced = await findReferenced(store, puts);
  const before = new RecordSet();
  for (const [collection, items] of groupByCollection([...puts.values(), ...removed.values()])) {
    for (const one of await accounts.listReferences(accountId, collection, items))
      before.add(one.stream_id, one.key, one.was_there === 1);
    await accounts.removeItems(accountId, collection, items);
  }
  await accounts.putItems(accountId, [...puts.values()]);
  const references = [...puts.values()].flatMap(({ collection, item, records }) =>
    records.map(({ streamId, key }): RecordReference => {
      const existedBefore = referenced.find(streamId, key) ?? stored.find(streamId, key) ?? true;
      return { stream_id: streamId, key, collection, item, was_there: existedBefore ? 1 : 0 };
    }),
  );
  await accounts.addReferences(accountId, references);
  return before;
}

/** Returns the records that other items already reference. */
async function findReferenced(store: Store, puts: ItemChanges['puts']): Promise<RecordSet> {
  const wanted = new RecordSet();
  for (const { records } of puts.values())
    for (const { streamId, key } of records) wanted.add(streamId, key, false);
  const referenced = new RecordSet();
  for (const [streamId, keys] of wanted.streams())
    for (const [key, existedBefore] of await store.write.accounts.findReferenced(streamId, [...keys.keys()]))
      referenced.add(streamId, key, existedBefore);
  return referenced;
}

function groupByCollection(items: readonly ItemId[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { collection, item } of items) {
    const group = groups.get(collection) ?? [];
    if (group.push(item) === 1) groups.set(collection, group);
  }
  return groups;
}

/** Returns the records that can be deleted: no item references them, and the account has added them. */
export async function findUnused(
  store: Store,
  records: RecordSet,
): Promise<[streamId: number, keys: string[]][]> {
  const unused: [number, string[]][] = [];
  for (const [streamId, keys] of records.streams()) {
    const added = [...keys].flatMap(([key, existedBefore]) => (existedBefore ? [] : [key]));
    const referenced = await store.write.accounts.findReferenced(streamId, added);
    const unreferenced = added.filter((key) => !referenced.has(key));
    if (unreferenced.length > 0) unused.push([streamId, unreferenced]);
  }
  return unused;
}
