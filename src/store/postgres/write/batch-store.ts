import type { BatchOptions, BatchStore, Change, Outcome } from '../../batches.ts';
import type { TextChange } from '../../postings/collect-words.ts';
import { recordTexts } from '../../postings/record-texts.ts';
import { applyChanges } from '../../records/apply-changes.ts';
import { createPlannedLayout } from '../../records/slots.ts';
import type { SlotPlan } from '../../scope.ts';
import type { WriteDatabase } from '../database.ts';
import type { OwnerQueries } from '../owner-queries.ts';
import type { WordIndex } from '../search/word-index.ts';
import { sql } from '../sql.ts';
import { PendingRows } from './batch-rows.ts';
import { finishRemovals } from './erase-streams.ts';
import { readFreeRids } from './free-rids.ts';
import { loadRows, readPlan, readTextPlan } from './load-rows.ts';
import { createPlanStatistics } from './plan-statistics.ts';
import { reindexRecords } from './reindex-records.ts';
import { addDays, writeRows } from './write-rows.ts';

/** Writes batches: stored rows are read, the batch is applied in memory, and the result is written by few statements. */
export function createBatchStore(database: WriteDatabase, words: WordIndex): BatchStore {
  const refresh = createPlanStatistics(database);
  return {
    async write(streamId, changes, options) {
      const outcomes = await database.transact((queries) =>
        writeBatch({ ...queries, ownerId: database.ownerId }, words, streamId, changes, options),
      );
      await refresh(outcomes);
      return outcomes;
    },
    reindex: (streamId, index) =>
      database.transact((queries) =>
        reindexRecords({ ...queries, ownerId: database.ownerId }, words, streamId, index),
      ),
    finishRemovals: (onProgress) => finishRemovals(database, words, onProgress),
  };
}

async function writeBatch(
  db: OwnerQueries,
  words: WordIndex,
  streamId: number,
  changes: readonly Change[],
  { importId, holdsChanges = false }: BatchOptions = {},
): Promise<Outcome[]> {
  const { plan, seq } = await readPlan(db, streamId);
  const layOut = createPlannedLayout(plan);
  const loaded = await loadRows(db, streamId, changes);
  const puts = changes.filter((change) => change.op === 'put');
  const rows = new PendingRows(loaded, layOut, await readFreeRids(db, streamId, puts));
  const applied = applyChanges(rows, changes, seq, holdsChanges);
  await writeRows(db, streamId, rows);
  await addDays(db, streamId, applied.days);
  await words.write(streamId, textChanges(rows, readTextPlan(plan)));
  if (applied.seq > seq) {
    await db.run(
      sql`update counters set value = ${applied.seq} where owner_id = ${db.ownerId} and name = 'seq'`,
    );
    if (importId !== undefined) await addSpan(db, importId, streamId, seq + 1, applied.seq);
  }
  return applied.outcomes;
}

/** Returns how the texts of records change, in order of row ids. */
function textChanges(rows: PendingRows, plan: Pick<SlotPlan, 'texts'>): TextChange[] {
  const changes: TextChange[] = [];
  for (const { stored } of rows.replaced.values())
    changes.push({ rid: stored.rid, before: [recordTexts(plan, stored.data)], after: undefined });
  for (const record of rows.records.values())
    if (record?.row.hasTexts === true) changes.push({ rid: record.rid, before: [], after: record.row.texts });
  return changes;
}

/** Stores the change numbers of a batch, so that its import can be undone. */
async function addSpan(
  db: OwnerQueries,
  importId: number,
  streamId: number,
  from: number,
  to: number,
): Promise<void> {
  const joined = await db.run(sql`update import_spans set to_seq = ${to} where owner_id = ${db.ownerId}
    and import_id = ${importId} and stream_id = ${streamId} and to_seq = ${from - 1}`);
  if (joined === 0)
    await db.run(
      sql`insert into import_spans values (${db.ownerId}, ${importId}, ${streamId}, ${from}, ${to})`,
    );
}
