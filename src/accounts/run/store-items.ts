import { cleanData, makeContentKey } from '../../import/make-key.ts';
import { keyOf } from '../../ingest/prepare-record.ts';
import type { SyncItem, SyncKey, SyncRecord } from '../sync-source.ts';
import type { AccountRecords } from './account-records.ts';
import { CommitItems } from './commit-items.ts';
import { deleteUnused } from './delete-unused.ts';
import { type PutItem, RecordSet, writeItems } from './record-references.ts';

export type StoredItem = Extract<SyncItem, { kind: 'put' | 'remove' | 'reset' | 'record' }>;

/** Stores items and their records, and deletes the records that no item has any more, as part of the current transaction. */
export async function storeItems(records: AccountRecords, items: readonly StoredItem[]): Promise<void> {
  const { account, store } = records.options;
  const replaced: RecordSet[] = [];
  let commit = new CommitItems();
  records.written = new RecordSet();
  const flush = async () => {
    for (const [stream, summaries] of commit.summaries)
      for (const data of summaries.values()) await records.write({ stream, data });
    await records.finish();
    replaced.push(await writeItems(store, account.account_id, commit, records.written));
    for (const [streamId, keys] of commit.standalone.streams())
      await store.write.accounts.markExisting(streamId, [...keys.keys()]);
    const superseded = new RecordSet();
    for (const { streamId, key } of commit.superseded)
      superseded.add(streamId, key, records.written.find(streamId, key) ?? true);
    replaced.push(superseded);
    commit = new CommitItems(commit.standalone);
  };
  for (const item of items) {
    if (item.kind === 'put')
      commit.put(item, [
        ...(await addRecords(records, commit, item.records)),
        ...findStreams(records, item.kept ?? []),
      ]);
    else if (item.kind === 'remove') commit.remove(item);
    else if (item.kind === 'record') {
      for (const { streamId, key } of await addRecords(records, commit, [item], account.account))
        commit.standalone.add(streamId, key, true);
    } else {
      await flush();
      await store.write.accounts.resetCollection(account.account_id, item.collection);
    }
  }
  await flush();
  await deleteUnused(records, replaced, commit.standalone);
}

function findStreams({ target }: AccountRecords, keys: readonly SyncKey[]): PutItem['records'] {
  return keys.flatMap(({ stream, key }) => {
    const found = target?.streams.get(stream);
    return found === undefined ? [] : [{ streamId: found.streamId, key }];
  });
}

/** Adds records to the batches. Summaries are stored after the records that they summarize. Returns their keys. */
async function addRecords(
  records: AccountRecords,
  commit: CommitItems,
  added: readonly SyncRecord[],
  path?: string,
): Promise<{ streamId: number; key: string }[]> {
  const { plan, target } = records;
  const keys: { streamId: number; key: string }[] = [];
  const used = new Map<string, number>();
  for (const { stream: name, data: given } of added) {
    const stream = target?.streams.get(name);
    const data = cleanData(given);
    // Equal records of two items are one record: each item counts its own.
    if (path === undefined && stream !== undefined)
      fillKey(records, name, stream.declaration.primary_key, data, used);
    const key = stream && keyOf(data, stream.declaration.primary_key);
    if (stream !== undefined && key !== undefined && Object.hasOwn(plan.totals ?? {}, name)) {
      commit.addSummary(name, key, data, plan.totals);
      keys.push({ streamId: stream.streamId, key });
      continue;
    }
    const written = await records.write({ stream: name, data }, path);
    if (written !== undefined && stream !== undefined) keys.push({ streamId: stream.streamId, key: written });
  }
  return keys;
}

/** Gives a record without a key one that is made from its content. */
function fillKey(
  { plan }: AccountRecords,
  stream: string,
  primaryKey: readonly string[],
  data: Record<string, unknown>,
  used: Map<string, number>,
): void {
  const missing = primaryKey.filter((name) => data[name] === undefined || data[name] === null);
  if (missing.length === 0) return;
  const key = makeContentKey(stream, data, plan.identity?.[stream] ?? Object.keys(data));
  const n = (used.get(key) ?? 0) + 1;
  used.set(key, n);
  for (const name of missing) data[name] = n === 1 ? key : `${key}-${n}`;
}
