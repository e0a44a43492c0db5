import { createEventLog } from '../audit/events.ts';
import { createDataPreparer, type PrepareData } from '../ingest/prepare-record.ts';
import { type CatalogStream, loadCatalog } from '../schema-index/catalog.ts';
import { checkDeclaration } from '../schema-index/check-declaration.ts';
import type { SourceDeclaration } from '../schema-index/declaration.ts';
import { addSelf } from '../schema-index/edit-catalog.ts';
import { type Change, createBatchWriter } from '../store/sqlite/apply-batch.ts';
import type { Store } from '../store/sqlite/open-store.ts';
import { cleanData } from './clean-data.ts';
import { followReading } from './follow-reading.ts';
import { createForeteller } from './foretell.ts';
import { HeldChanges } from './held-changes.ts';
import { beginImport, endImport } from './import-log.ts';
import { type ImportReport, ReportBuilder } from './import-report.ts';
import { noteSpan } from './import-store.ts';
import type { ImportOptions, Yielded } from './importer.ts';
import { createLocalTimes } from './local-times.ts';
import { createKeyMaker } from './make-key.ts';
import { createTotalsMerger, type MergeTotals } from './merge-totals.ts';
import type { OpenProblem } from './open/opened.ts';
import type { FoundExport } from './recognise-inputs.ts';
import { openScratch } from './scratch.ts';
import { StreamBatches } from './stream-batches.ts';
import { findTarget } from './target/find-target.ts';
import { fitDeclaration } from './target/fit-declaration.ts';
import { foreseeStreams, placeTarget, type TargetWish } from './target/place-connection.ts';

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
  /** Sees every change before it is stored, or would be. */
  readonly onChanges?: (stream: CatalogStream, changes: readonly Change[]) => void;
  readonly signal?: AbortSignal;
  readonly now: () => Date;
}

export interface ImportResult {
  /** Absent when nothing was stored. */
  readonly import_id?: number;
  /** `refused` where no record could be read, so that it is not what it was taken for. */
  readonly state: 'done' | 'stopped' | 'foretold' | 'refused';
  readonly report: ImportReport;
  /** Of a refusal, in words that go on after the name of the file. */
  readonly reason?: string;
}

const MOST_RECORD_BYTES = 16 * 2 ** 20;
const MOST_KEY_BYTES = 512;

/**
 * Brings one export in. Every batch is one transaction; what does not fit is a problem in the report and keeps nothing
 * else out. When the signal comes, what was read is stored and the rest is left: the same import again goes on. Where
 * no record comes, nothing is stored and no connection is made.
 */
export async function runImport(
  store: Store,
  found: Pick<FoundExport, 'importer' | 'recognised'>,
  run: RunOptions,
): Promise<ImportResult> {
  const { importer } = found;
  const reading = followReading(found.recognised);
  const options =
    run.declaration === undefined ? run.options : { ...run.options, declaration: run.declaration };
  const declared = run.declaration ?? (await importer.declare(reading.recognised, options));
  const declaration =
    importer.isGuessed === true && run.declaration === undefined
      ? await fitDeclaration(store.read, declared)
      : checkDeclaration(declared);
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
  const given = { ...options, onLocalTime: local.onLocalTime };
  const items = importer.read(reading.recognised, given)[Symbol.asyncIterator]();
  // An importer that fails keeps what it has given; the report says where it ended.
  const readNext = async (): Promise<Yielded | undefined> => {
    try {
      const { done, value } = await items.next();
      return done === true ? undefined : value;
    } catch {
      builder.addProblem({ path: reading.current(), reason: 'could not be read to its end' });
      return undefined;
    }
  };
  const isStopped = () => run.signal?.aborted ?? false;
  try {
    let item = await readNext();
    while (item !== undefined && item.kind !== 'record' && !isStopped()) {
      noteAside(item, builder);
      item = await readNext();
    }
    if (item === undefined) {
      addOpenProblems(builder, run, reading.isOurs);
      const report = makeReport();
      return { state: 'refused', report, reason: describeRefusal(report) };
    }
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
    const apply = (stream: CatalogStream, changes: readonly Change[], holdsChanges: boolean) =>
      importId === undefined
        ? foretell(stream.streamId, changes, holdsChanges)
        : write(
            stream.streamId,
            changes,
            (raw, span) => noteSpan(raw, importId as number, stream.streamId, span),
            holdsChanges,
          );
    const held = new HeldChanges(
      (stream, changes) => apply(stream, changes, false),
      (stream, outcome) =>
        builder.count(stream.name, outcome === 'new' || outcome === 'changed' ? outcome : 'same'),
    );
    const batches = new StreamBatches(async (stream, changes) => {
      run.onChanges?.(stream, changes);
      // Totals are summed up from what is stored, so a change of them does not wait.
      const outcomes = await apply(stream, changes, !totals.covers(stream.name));
      if (importId === undefined) totals.foresee(stream, changes, outcomes);
      await held.take(stream, changes, outcomes);
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
    for (; item !== undefined && !isStopped(); item = await readNext()) await take(item);
    const stopped = isStopped();
    await batches.flush();
    await held.flush();
    addOpenProblems(builder, run, reading.isOurs);
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
    await items.return?.();
    scratch.close();
  }
}

function addOpenProblems(
  builder: ReportBuilder,
  { openProblems = [] }: RunOptions,
  isOurs: (path: string) => boolean,
): void {
  for (const problem of openProblems) if (isOurs(problem.path)) builder.addProblem(problem);
}

/** Why nothing came of an export: the first thing that was wrong with it, where something was. */
function describeRefusal({ title, problems }: ImportReport): string {
  const [first] = problems;
  const where = first?.place === undefined ? '' : `${first.place} `;
  const why =
    first === undefined ? 'it holds no records' : `nothing in it can be read: ${where}${first.reason}`;
  return `looks like ${title}, but ${why}`;
}

/** Takes what is no record into the report. */
function noteAside(item: Exclude<Yielded, { kind: 'record' }>, builder: ReportBuilder): void {
  if (item.kind === 'note') builder.addNote(item.note);
  else if (item.kind === 'self') builder.addSelf(item.value);
  else
    builder.addProblem({
      path: item.file.path,
      ...(item.place === undefined ? {} : { place: item.place }),
      reason: item.reason,
    });
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
    if (item.kind !== 'record') return noteAside(item, builder);
    const at = { path: item.file.path, ...(item.place === undefined ? {} : { place: item.place }) };
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
