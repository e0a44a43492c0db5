import { loadCatalog } from '../../schema-index/catalog.ts';
import type { Change } from '../../store/batches.ts';
import type { AccountRecords } from './account-records.ts';
import { findUnused, RecordSet } from './record-references.ts';
import { findParents, type Parents, recountTotals } from './recount-totals.ts';

/** Deletes records that no item references any more, and updates their summaries. */
export async function deleteUnused(
  records: AccountRecords,
  replaced: readonly RecordSet[],
  standalone = new RecordSet(),
): Promise<void> {
  const { store, report } = records.options;
  const all = new RecordSet();
  for (const set of replaced)
    for (const [streamId, keys] of set.streams())
      for (const [key, existedBefore] of keys)
        if (standalone.find(streamId, key) === undefined) all.add(streamId, key, existedBefore);
  const streams = records.target?.streams ?? new Map();
  const names = new Map([...streams.values()].map(({ streamId, name }) => [streamId, name]));
  const parents: Parents[] = [];
  for (const [streamId, keys] of await findUnused(store, all)) {
    parents.push(await findParents(store, streams, records.plan.totals ?? {}, streamId, keys));
    const emittedAt = records.tick();
    const changes = keys.map((key): Change => ({ op: 'delete', key, emittedAt }));
    for (const outcome of await records.writeBatch(streamId, changes))
      if (outcome === 'deleted') report.builder.count(names.get(streamId) ?? '', 'removed');
  }
  await recount(records, parents);
}

async function recount(records: AccountRecords, all: readonly Parents[]): Promise<void> {
  const { store } = records.options;
  const { plainZone } = await loadCatalog(store.read);
  for (const parents of all)
    for (const [parent, keys] of parents) {
      const totals = records.plan.totals?.[parent.name];
      if (totals === undefined || keys.size === 0) continue;
      const zone = { plainZone, emittedAt: records.tick() };
      const streams = records.target?.streams ?? new Map();
      const changes = await recountTotals(store, streams, totals, parent, [...keys], zone);
      if (changes.length > 0) await records.writeBatch(parent.streamId, changes);
    }
}
