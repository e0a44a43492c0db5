import { createStream } from '../schema-index/catalog.ts';
import { changeCatalogWithin } from '../schema-index/catalog-store.ts';
import type { CheckedDeclaration } from '../schema-index/check-declaration.ts';
import type { StreamDeclaration } from '../schema-index/declaration.ts';
import { addSource, type SourceOutcome } from '../schema-index/edit-catalog.ts';
import { parseSlotPlan } from '../schema-index/slot-plan.ts';
import { reindexRecords } from '../store/sqlite/apply-batch.ts';
import type { WriteStore } from '../store/sqlite/open-store.ts';
import { createIndexer } from './prepare-record.ts';

/**
 * Adds a source or a newer declaration of it and, in the same transaction, gives records that already
 * hold a newly declared field its place in the indexes.
 */
export function installSource(
  store: WriteStore,
  declaration: CheckedDeclaration,
  now: Date,
): Promise<{ outcome: SourceOutcome['outcome']; reindexed: number }> {
  return store.transactAtOnce((raw) =>
    changeCatalogWithin(raw, (catalog) => {
      const { outcome, replanned } = addSource(catalog, declaration, now);
      const zone = catalog.findPlainZone() ?? 'UTC';
      const counts = replanned.map((streamId) => {
        const row = catalog.getStream(streamId);
        const declared = declaration.streams.find((one) => one.name === row.stream) as StreamDeclaration;
        const stream = createStream(row, declared, streamId, parseSlotPlan(row.plan));
        return reindexRecords(raw, streamId, createIndexer(stream, zone));
      });
      return { outcome, reindexed: counts.reduce((sum, count) => sum + count, 0) };
    }),
  );
}
