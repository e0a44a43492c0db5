import { createEventLog } from '../audit/events.ts';
import { AppError } from '../errors.ts';
import { createDataPreparer, type PrepareData } from '../ingest/prepare-record.ts';
import { yieldToEventLoop } from '../limits/yield-to-event-loop.ts';
import { loadCatalog } from '../schema-index/catalog.ts';
import { removeAdded } from '../schema-index/edit-catalog.ts';
import type { Change } from '../store/batches.ts';
import type { ChangedRecord } from '../store/import-store.ts';
import type { Store } from '../store/store.ts';
import { endImport, getImport, listImports } from './import-log.ts';
import type { ImportReport } from './import-report.ts';
import { requestSweep, sweepKeptFiles } from './kept-files/sweep-kept-files.ts';
import { removeConnections } from './remove-connection.ts';

interface Undone {
  /** Records that the import had added, now deleted. */
  readonly removed: number;
  /** Records that it had changed, now as before. */
  readonly restored: number;
  /** Records that were changed again later. They stay as they are. */
  readonly kept: number;
  /** Whether the connection, which the import had created, was removed too. */
  readonly connection_removed: boolean;
}

/**
 * Deletes the records that an import added and restores those it changed. Records with a later change number were
 * changed since and stay. Works in batches, so that others can write in between.
 */
export async function undoImport(
  store: Store,
  importId: number,
  now: Date,
  onProgress: (records: number) => void = () => {},
): Promise<Undone> {
  const { report, state } = await getImport(store.write, importId);
  if (state === 'undone') throw new AppError('conflict', 'This import has already been undone.');
  const { connection_id, added } = report;
  const runs = added?.files === undefined ? [] : [added.files];
  await requestSweep(store, connection_id, runs);
  const catalog = await loadCatalog(store.write);
  const spans = await store.write.imports.listSpans(importId);
  const counts = { removed: 0, restored: 0, kept: 0 };
  for (const span of spans) {
    const stream = catalog.streams.find(({ streamId }) => streamId === span.stream_id);
    if (stream === undefined) continue;
    const prepare = createDataPreparer(stream, catalog.plainZone);
    counts.kept += await store.read.imports.countChangedSince(span);
    for (;;) {
      const touched = await store.read.imports.readChanged(span);
      if (touched.length === 0) break;
      const changes = touched.map((one) => revert(one, prepare, now.getTime()));
      await store.write.batches.write(span.stream_id, changes);
      for (const { op } of changes) counts[op === 'delete' ? 'removed' : 'restored'] += 1;
      onProgress(counts.removed + counts.restored);
      await yieldToEventLoop();
    }
  }
  await store.write.imports.deleteSpans(importId);
  const connection_removed = report.connection === 'new' && (await isEmptyConnection(store, connection_id));
  // Removing the connection also removes the import, so an interrupted undo can be repeated.
  if (connection_removed) await removeConnections(store, [connection_id], now);
  else {
    // Again, because another sweep may have come before the records were deleted.
    await requestSweep(store, connection_id, runs);
    await sweepKeptFiles(store, connection_id);
    await removeOwnerData(store, importId, report);
    await endImport(store.write, importId, 'undone', report, now);
  }
  await createEventLog(store.audit)({ kind: 'import_undone', detail: connection_id }, now);
  return { ...counts, connection_removed };
}

/** Removes what the import stored about the owner, unless another import of the connection stored it too. */
async function removeOwnerData(
  store: Store,
  importId: number,
  { connection_id, added }: ImportReport,
): Promise<void> {
  if (added === undefined) return;
  const others = (await listImports(store.write)).filter(
    ({ import_id, state, report }) =>
      import_id !== importId && report.connection_id === connection_id && state !== 'undone',
  );
  const { account } = added;
  const hasName = (name: string) => others.some(({ report }) => report.self.includes(name));
  const hasAccount = others.some(({ report }) => report.account === account);
  await removeAdded(store.write, connection_id, {
    self: (added.self ?? []).filter((name) => !hasName(name)),
    ...(account === undefined || hasAccount ? {} : { account }),
  });
}

function revert({ key, emitted_at, before }: ChangedRecord, prepare: PrepareData, now: number): Change {
  // Later than the change it reverts, even if the clock was set back.
  const emittedAt = Math.max(now, emitted_at + 1);
  if (before === null) return { op: 'delete', key, emittedAt };
  const prepared = prepare(JSON.parse(before) as Record<string, unknown>, emittedAt);
  if (prepared.kind === 'refused') throw new Error('a stored record no longer fits its schema');
  return prepared.change;
}

/** Whether the connection has no records and no other imports. */
async function isEmptyConnection(store: Store, connectionId: string): Promise<boolean> {
  return (
    !(await store.write.imports.hasSpans(connectionId)) && store.read.stored.isEmptyConnection(connectionId)
  );
}
