import { type Connection, createStream } from '../schema-index/catalog.ts';
import type { CheckedDeclaration } from '../schema-index/check-declaration.ts';
import type { StreamDeclaration } from '../schema-index/declaration.ts';
import { placeSource, type SourceOutcome } from '../schema-index/edit-catalog.ts';
import { parseSlotPlan } from '../schema-index/slot-plan.ts';
import { reindexRecords } from '../store/apply-batch.ts';
import type { WriteStore } from '../store/open-store.ts';
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
  return store.transactAtOnce((raw) => {
    const { outcome, replanned } = placeSource(raw, declaration, now);
    // The first of the two by name is the one that stored times are meant in, where it differs from the owner's.
    const zone = raw
      .prepare(
        `select value from settings where name in ('plain_time_zone', 'time_zone') order by name limit 1`,
      )
      .pluck()
      .get();
    const counts = replanned.map((streamId) => {
      const row = raw
        .prepare('select * from streams join connections using (connection_id) where stream_id = ?')
        .get(streamId) as Connection & { stream: string; plan: string };
      const declared = declaration.streams.find((one) => one.name === row.stream) as StreamDeclaration;
      const stream = createStream(row, declared, streamId, parseSlotPlan(row.plan));
      return reindexRecords(raw, streamId, createIndexer(stream, String(zone ?? 'UTC')));
    });
    return { outcome, reindexed: counts.reduce((sum, count) => sum + count, 0) };
  });
}
