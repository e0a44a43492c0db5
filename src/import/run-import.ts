import { createEventLog } from '../audit/events.ts';
import type { CatalogStream } from '../schema-index/catalog.ts';
import { checkDeclaration } from '../schema-index/check-declaration.ts';
import type { SourceDeclaration } from '../schema-index/declaration.ts';
import { addSelf } from '../schema-index/edit-catalog.ts';
import type { Change } from '../store/batches.ts';
import { openScratch } from '../store/sqlite/scratch.ts';
import type { Store } from '../store/store.ts';
import { followReading } from './follow-reading.ts';
import { beginImport, endImport } from './import-log.ts';
import { type ImportReport, ReportBuilder } from './import-report.ts';
import type { ImportItem, ImportOptions } from './importer.ts';
import { createLocalTimes } from './local-times.ts';
import type { OpenProblem } from './open/opened.ts';
import type { FoundExport } from './recognise.ts';
import { createRecordWriter } from './record-writer.ts';
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
  /** Hears of every batch of changes, after it was stored or the dry run has judged it. */
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
  const readNext = async (): Promise<ImportItem | undefined> => {
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
      builder.addItem(item);
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
    const writer = await createRecordWriter({
      ...{ store, scratch, importer, streams, importId },
      emittedAt: startedAt.getTime(),
      keyValue: local.inZone(keyZone),
      count: (stream, outcome) => builder.count(stream, outcome),
      onBatch(stream, changes) {
        run.onChanges?.(stream, changes);
        run.onProgress?.({ ...reading.progress(), records: builder.records });
      },
    });
    for (; item !== undefined && !isStopped(); item = await readNext()) {
      if (item.kind !== 'record') {
        builder.addItem(item);
        continue;
      }
      const reason = await writer.add(item);
      if (reason === undefined) continue;
      builder.count(item.stream, 'skipped');
      builder.addItem({ ...item, kind: 'problem', reason });
    }
    const stopped = isStopped();
    await writer.finish();
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
