import { type Connection, createStream } from '../schema-index/catalog.ts';
import type { CheckedDeclaration } from '../schema-index/check-declaration.ts';
import type { StreamDeclaration } from '../schema-index/declaration.ts';
import { addSource, changeCatalog, type SourceOutcome } from '../schema-index/edit-catalog.ts';
import { parseSlotPlan } from '../schema-index/slot-plan.ts';
import type { WriteStore } from '../store/store.ts';
import { createIndexer } from './prepare-record.ts';

/**
 * Stores a source or a newer declaration of it. In the same transaction, indexes newly declared fields of existing
 * records.
 */
export function installSource(
  store: WriteStore,
  declaration: CheckedDeclaration,
  now: Date,
): Promise<{ outcome: SourceOutcome['outcome']; reindexed: number }> {
  return changeCatalog(store, async (catalog) => {
    const { outcome, replanned } = await addSource(catalog, declaration, now);
    const { timeZone, plainZone } = await catalog.zones();
    let reindexed = 0;
    for (const streamId of replanned) {
      const row = await catalog.getStream(streamId);
      const connection = await catalog.findConnection(row.connection_id);
      const declared = declaration.streams.find((one) => one.name === row.stream) as StreamDeclaration;
      const stream = createStream(connection as Connection, declared, streamId, parseSlotPlan(row.plan));
      const index = createIndexer(stream, plainZone ?? timeZone ?? 'UTC');
      reindexed += await store.batches.reindex(streamId, index);
    }
    return { outcome, reindexed };
  });
}
