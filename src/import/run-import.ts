import { createEventLog } from '../audit/events.ts';
import { createDataPreparer, type PrepareData } from '../ingest/prepare-record.ts';
import { type CatalogStream, loadCatalog } from '../schema-index/catalog.ts';
import { checkDeclaration } from '../schema-index/check-declaration.ts';
import type { SourceDeclaration } from '../schema-index/declaration.ts';
import { addSelf } from '../schema-index/edit-catalog.ts';
import { createBatchWriter } from '../store/apply-batch.ts';
import type { Store } from '../store/open-store.ts';
import { cleanData } from './clean-data.ts';
import { findTarget } from './find-target.ts';
import { followReading } from './follow-reading.ts';
import { createForeteller } from './foretell.ts';
import { beginImport, endImport, noteSpan } from './import-log.ts';
import { type ImportReport, ReportBuilder } from './import-report.ts';
import type { ImportOptions, Yielded } from './importer.ts';
import { createLocalTimes } from './local-times.ts';
import { createKeyMaker } from './make-key.ts';
import { createTotalsMerger, type MergeTotals } from './merge-totals.ts';
import type { OpenProblem } from './open/opened.ts';
import { foreseeStreams, placeTarget, type TargetWish } from './place-connection.ts';
import type { FoundExport } from './recognise-inputs.ts';
import { openScratch } from './scratch.ts';
import { StreamBatches } from './stream-batches.ts';

export interface ImportProgress {
  readonly bytes: number;
  readonly bytesTotal: number | undefined;
  readonly records: number;
}

export interface RunOptions extends TargetWish {
  readonly options: ImportOptions;
  /** Only says what would be stored. */
  readonly dryRun?: boolean;
  /** A declaration that the owner has edited, in place of the importer's own. */
  readonly declaration?: SourceDeclaration;
  /** What was noticed while unpacking, filled while it is read. */
  readonly openProblems?: readonly OpenProblem[];
  readonly onProgress?: (progress: ImportProgress) => void;
  readonly signal?: AbortSignal;
  readonly now: () => Date;
}

export interface ImportResult {
  /** Absent when nothing was stored. */
  readonly import_id?: number;
  readonly state: 'done' | 'stopped' | 'foretold';
  readonly report: ImportReport;
}

const MOST_RECORD_BYTES = 16 * 2 ** 20;
const MOST_KEY_BYTES = 512;

/**
 * Brings one export in. Every batch is one transaction; what does not fit is a problem in the report and keeps nothing
 * else out. When the signal comes, what was read is stored and the rest is left: the same import again goes on.
 */
export async function runImport(store: Store, found: FoundExport, run: RunOptions): Promise<ImportResult> {
  const { importer } = found;
  const reading = followReading(found.recognised);
  const options =
    run.declaration === undefined ? run.options : { ...run.options, declaration: run.declaration };
  const declaration = checkDeclaration(
    run.declaration ?? (await importer.declare(reading.recognised, options)),
  );
  const { account } = found.recognised;
  const { target, keyZone } = await findTarget(
    store.read,
    declaration,
    { importer, recognised: reading.recognised },
    run,
    options,
  );
  const local = createLocalTimes(options.timeZone);
  const startedAt = run.now();
  const builder = new ReportBuilder();
  const scratch = openScratch();
  const makeReport = (): ImportReport => ({
    format: importer.format,
    title: importer.title,
    connector_key: declaration.connector_key,
    connection_id: target.connectionId,
    connection_name: target.name,
    connection: target.outcome,
    ...(target.matchedBy === undefined ? {} : { matched_by: target.matchedBy }),
    ...(target.others.length === 0 ? {} : { other_connections: target.others }),
    ...(account === undefined ? {} : { account }),
    key_zone: keyZone,
    files: found.recognised.files.length,
    bytes: reading.progress().bytes,
    ...builder.build(),
  });
  let importId: number | undefined;
  try {
    if (run.name !== undefined && target.outcome === 'same' && run.name !== target.name)
      builder.addNote(`The connection keeps its name: ${target.name}. Rename it on its page.`);
    const placed = run.dryRun
      ? undefined
      : await placeTarget(store.write, declaration, target, account, startedAt);
    const streams = placed?.streams ?? (await foreseeStreams(store.read, declaration, target));
    // For undo alone: what a dry run says is the same without it.
    let added: ImportReport['added'] = placed?.added;
    const logged = (): ImportReport => ({ ...makeReport(), ...(added === undefined ? {} : { added }) });
    importId = run.dryRun ? undefined : await beginImport(store.write, logged(), startedAt);
    const { plainZone } = await loadCatalog(store.read);
    const foretell = createForeteller(store.read, scratch);
    const write = createBatchWriter(store.write);
    const totals = createTotalsMerger(store.read, scratch, streams, importer.totals);
    const batches = new StreamBatches(async (stream, changes) => {
      const outcomes =
        importId === undefined
          ? await foretell(stream.streamId, changes)
          : await write(stream.streamId, changes, (raw, span) =>
              noteSpan(raw, importId as number, stream.streamId, span),
            );
      if (importId === undefined) totals.foresee(stream, changes, outcomes);
      for (const outcome of outcomes) builder.count(stream.name, outcome === 'deleted' ? 'same' : outcome);
      run.onProgress?.({ ...reading.progress(), records: builder.records });
    });
    const take = createTaker(
      streams,
      plainZone,
      startedAt,
      createKeyMaker(scratch, importer.identity, local.inZone(keyZone)),
      builder,
      batches,
      totals,
    );
    let stopped = false;
    let taking = false;
    try {
      for await (const item of importer.read(reading.recognised, {
        ...options,
        onLocalTime: local.onLocalTime,
      })) {
        taking = true;
        await take(item);
        taking = false;
        stopped = run.signal?.aborted ?? false;
        if (stopped) break;
      }
    } catch (error) {
      if (taking) throw error;
      // An importer that fails keeps what it has given; the report says where it ended.
      builder.addProblem({ path: reading.current(), reason: 'could not be read to its end' });
    }
    await batches.flush();
    for (const problem of run.openProblems ?? [])
      if (reading.isOurs(problem.path)) builder.addProblem(problem);
    if (local.wereSeen())
      builder.addNote(
        `Times without a zone are read as ${options.timeZone}. Importing again with another zone changes the records and doubles none.`,
      );
    if (importId === undefined) return { state: 'foretold', report: makeReport() };
    const self = await addSelf(store.write, target.connectionId, builder.self);
    if (self.length > 0) added = { ...added, self };
    await endImport(store.write, importId, stopped ? 'stopped' : 'done', logged(), run.now());
    await createEventLog(store.audit)({ kind: 'imported', detail: target.connectionId }, run.now());
    return { import_id: importId, state: stopped ? 'stopped' : 'done', report: makeReport() };
  } finally {
    scratch.close();
  }
}

function createTaker(
  streams: ReadonlyMap<string, CatalogStream>,
  plainZone: string,
  startedAt: Date,
  makeKey: ReturnType<typeof createKeyMaker>,
  builder: ReportBuilder,
  batches: StreamBatches,
  totals: MergeTotals,
): (item: Yielded) => Promise<void> {
  const preparers = new Map<string, PrepareData>();
  for (const [name, stream] of streams) preparers.set(name, createDataPreparer(stream, plainZone));
  const emittedAt = startedAt.getTime();
  return async (item) => {
    if (item.kind === 'note') return builder.addNote(item.note);
    if (item.kind === 'self') return builder.addSelf(item.value);
    const at = { path: item.file.path, ...(item.place === undefined ? {} : { place: item.place }) };
    if (item.kind === 'problem') return builder.addProblem({ ...at, reason: item.reason });
    const stream = streams.get(item.stream);
    const prepare = preparers.get(item.stream);
    const skip = (reason: string) => {
      builder.count(item.stream, 'skipped');
      builder.addProblem({ ...at, reason });
    };
    if (stream === undefined || prepare === undefined)
      return skip('belongs to a stream that is not declared');
    const data = cleanData(item.data);
    makeKey(stream.declaration, data, item.file.path, item.formerly);
    if (totals.covers(item.stream)) {
      await batches.flushOthers(stream);
      await totals.merge(stream, String(data[stream.declaration.primary_key[0] as string]), data);
    }
    const prepared = prepare(data, emittedAt);
    if (prepared.kind === 'refused') return skip(prepared.reason);
    const { change } = prepared;
    if (change.op !== 'put') return;
    if (change.data.length > MOST_RECORD_BYTES) return skip('is larger than 16 MB');
    if (Buffer.byteLength(change.key) > MOST_KEY_BYTES) return skip('has a key of more than 512 bytes');
    await batches.add(stream, change);
  };
}
