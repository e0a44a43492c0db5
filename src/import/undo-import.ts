import { createEventLog } from '../audit/events.ts';
import { AppError } from '../errors.ts';
import { createDataPreparer, type PrepareData } from '../ingest/prepare-record.ts';
import { yieldToEventLoop } from '../limits/yield-to-event-loop.ts';
import { loadCatalog } from '../schema-index/catalog.ts';
import { removeAdded } from '../schema-index/edit-catalog.ts';
import type { Change } from '../store/batches.ts';
import type { TouchedRecord } from '../store/import-store.ts';
import type { Store } from '../store/store.ts';
import { endImport, getImport, listImports } from './import-log.ts';

import { removeConnections } from './remove-connection.ts';

export interface Undone {
  /** Records that the import had added, taken out again. */
  readonly removed: number;
  /** Records that it had changed, put back as they were. */
  readonly restored: number;
  /** Records that were changed again since: they stay as they are now. */
  readonly kept: number;
  /** Whether the connection, which the import had made, went with them. */
  readonly connection_removed: boolean;
}

/**
 * Takes out what an import added and puts back what it changed, record by record where the record is still as the
 * import left it. In steps, between which others can write. By the change numbers the import took: a later change has
 * a later number and is left alone.
 */
export async function undoImport(
  store: Store,
  importId: number,
  now: Date,
  onProgress: (records: number) => void = () => {},
): Promise<Undone> {
  const { report, state } = await getImport(store.write, importId);
  if (state === 'undone') throw new AppError('conflict', 'This import is undone already.');
  const catalog = await loadCatalog(store.write);
  const spans = await store.write.imports.listSpans(importId);
  const counts = { removed: 0, restored: 0, kept: 0 };
  for (const span of spans) {
    const stream = catalog.streams.find(({ streamId }) => streamId === span.stream_id);
    if (stream === undefined) continue;
    const prepare = createDataPreparer(stream, catalog.plainZone);
    counts.kept += await store.read.imports.countChangedSince(span);
    for (;;) {
      const touched = await store.read.imports.readTouched(span);
      if (touched.length === 0) break;
      const changes = touched.map((one) => turnBack(one, prepare, now.getTime()));
      await store.write.batches.write(span.stream_id, changes);
      for (const { op } of changes) counts[op === 'delete' ? 'removed' : 'restored'] += 1;
      onProgress(counts.removed + counts.restored);
      await yieldToEventLoop();
    }
  }
  await store.write.imports.deleteSpans(importId);
  const connection_removed = report.connection === 'new' && (await isBare(store, report.connection_id));
  // With the connection goes the import, so that one that is interrupted here can be undone again.
  if (connection_removed) await removeConnections(store, [report.connection_id], now);
  else {
    await takeBackAdded(store, importId, report);
    await endImport(store.write, importId, 'undone', report, now);
  }
  await createEventLog(store.audit)({ kind: 'import_undone', detail: report.connection_id }, now);
  return { ...counts, connection_removed };
}

/** Takes back what the import told about the owner, except for what another import of the connection told too. */
async function takeBackAdded(
  store: Store,
  importId: number,
  { connection_id, added }: Awaited<ReturnType<typeof getImport>>['report'],
): Promise<void> {
  if (added === undefined) return;
  const others = (await listImports(store.write)).filter(
    ({ import_id, state, report }) =>
      import_id !== importId && report.connection_id === connection_id && state !== 'undone',
  );
  const isTold = (name: string) => others.some(({ report }) => report.self.includes(name));
  const { account } = added;
  const isStill = others.some(({ report }) => report.account === account);
  await removeAdded(store.write, connection_id, {
    self: (added.self ?? []).filter((name) => !isTold(name)),
    ...(account === undefined || isStill ? {} : { account }),
  });
}

function turnBack({ key, emitted_at, before }: TouchedRecord, prepare: PrepareData, now: number): Change {
  // Later than what it takes back, whatever the clock has done since.
  const emittedAt = Math.max(now, emitted_at + 1);
  if (before === null) return { op: 'delete', key, emittedAt };
  const prepared = prepare(JSON.parse(before) as Record<string, unknown>, emittedAt);
  if (prepared.kind === 'refused') throw new Error('a stored record no longer fits its schema');
  return prepared.change;
}

/** Whether nothing is left in a connection that the import made, and nothing else was brought into it. */
async function isBare(store: Store, connectionId: string): Promise<boolean> {
  return (
    !(await store.write.imports.hasSpans(connectionId)) && store.read.stored.isEmptyConnection(connectionId)
  );
}
