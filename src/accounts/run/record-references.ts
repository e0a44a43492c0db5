import type { RecordReference } from '../../store/accounts/account-store.ts';
import type { Store } from '../../store/store.ts';

/** Keys of records by stream, with whether each was stored before an account stored it. */
export class RecordSet {
  readonly #streams = new Map<number, Map<string, boolean>>();

  /** Adds a record. What was said first stays. */
  add(streamId: number, key: string, wasThere: boolean): void {
    let keys = this.#streams.get(streamId);
    if (keys === undefined) {
      keys = new Map();
      this.#streams.set(streamId, keys);
    }
    if (!keys.has(key)) keys.set(key, wasThere);
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
 * Writes items with references to their records, as part of the current transaction. `judged` says of each record that
 * was just stored whether it was there before. Returns the records that an item had before.
 */
export async function writeItems(
  store: Store,
  accountId: string,
  { puts, removed }: ItemChanges,
  judged: RecordSet,
): Promise<RecordSet> {
  const { accounts } = store.write;
  const known = await findKnown(store, puts);
  const before = new RecordSet();
  for (const [collection, items] of groupByCollection([...puts.values(), ...removed.values()])) {
    for (const one of await accounts.listReferences(accountId, collection, items))
      before.add(one.stream_id, one.key, one.was_there === 1);
    await accounts.removeItems(accountId, collection, items);
  }
  await accounts.putItems(accountId, [...puts.values()]);
  const references = [...puts.values()].flatMap(({ collection, item, records }) =>
    records.map(({ streamId, key }): RecordReference => {
      const wasThere = known.find(streamId, key) ?? judged.find(streamId, key) ?? true;
      return { stream_id: streamId, key, collection, item, was_there: wasThere ? 1 : 0 };
    }),
  );
  await accounts.addReferences(accountId, references);
  return before;
}

/** Returns which of the records some item has already. */
async function findKnown(store: Store, puts: ItemChanges['puts']): Promise<RecordSet> {
  const wanted = new RecordSet();
  for (const { records } of puts.values())
    for (const { streamId, key } of records) wanted.add(streamId, key, false);
  const known = new RecordSet();
  for (const [streamId, keys] of wanted.streams())
    for (const [key, wasThere] of await store.write.accounts.findReferenced(streamId, [...keys.keys()]))
      known.add(streamId, key, wasThere);
  return known;
}

function groupByCollection(items: readonly ItemId[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { collection, item } of items) {
    const group = groups.get(collection) ?? [];
    if (group.push(item) === 1) groups.set(collection, group);
  }
  return groups;
}

/** Returns those of the records that no item has and that were not there before the account: they can be deleted. */
export async function findUnused(
  store: Store,
  records: RecordSet,
): Promise<[streamId: number, keys: string[]][]> {
  const unused: [number, string[]][] = [];
  for (const [streamId, keys] of records.streams()) {
    const ours = [...keys].flatMap(([key, wasThere]) => (wasThere ? [] : [key]));
    const referenced = await store.write.accounts.findReferenced(streamId, ours);
    const left = ours.filter((key) => !referenced.has(key));
    if (left.length > 0) unused.push([streamId, left]);
  }
  return unused;
}
