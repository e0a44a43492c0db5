import { randomUUID } from 'node:crypto';
import { ATTACHMENTS, type KeepFile } from '../attachments/attached-file.ts';
import { TextBudget } from '../attachments/text-budget.ts';
import { createEventLog } from '../audit/events.ts';
import type { CatalogStream } from '../schema-index/catalog.ts';
import { checkDeclaration } from '../schema-index/check-declaration.ts';
import type { SourceDeclaration } from '../schema-index/declaration.ts';
import { addSelf } from '../schema-index/edit-catalog.ts';
import { withKeySecret } from '../secrets/content-hash.ts';
import type { Change } from '../store/batches.ts';
import { openScratch } from '../store/sqlite/scratch.ts';
import type { Store } from '../store/store.ts';
import { AttachmentWriter } from './attachment-writer.ts';
import { beginImport, endImport } from './import-log.ts';
import { type ImportReport, ReportBuilder } from './import-report.ts';
import type { ImportItem, ImportOptions } from './importer.ts';
import { KeepSession } from './kept-files/keep-session.ts';
import { refuseKeptFiles } from './kept-files/refuse-kept-files.ts';
import { loadKeySecret } from './key-secret.ts';
import { createLocalTimes } from './make-key.ts';
import type { OpenProblem } from './open/opened.ts';
import type { FoundExport } from './recognise.ts';
import { createRecordWriter, type RecordWriterOptions } from './record-writer.ts';
import { findTarget } from './target/find-target.ts';
import { fitDeclaration } from './target/fit-declaration.ts';
import { createTarget, planStreams, type TargetChoice } from './target/target.ts';
import { trackReading } from './track-reading.ts';

export interface ImportProgress {
  readonly bytes: number;
  readonly bytesTotal: number | undefined;
  readonly records: number;
}

export interface RunOptions extends TargetChoice {
  readonly options: ImportOptions;
  /** Reports what would be stored and stores nothing. */
  readonly dryRun?: boolean;
  /** Keeps the bytes of attached files in the data folder. */
  readonly keepFiles?: boolean;
  /** A declaration that the owner has edited. It replaces the importer's own. */
  readonly declaration?: SourceDeclaration;
  /** Problems found while unpacking. The list grows while the files are read. */
  readonly openProblems?: readonly OpenProblem[];
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Called with every batch of changes after it was stored, or checked by a dry run. */
  readonly onChanges?: (stream: CatalogStream, changes: readonly Change[]) => void;
  readonly signal?: AbortSignal;
  readonly now: () => Date;
}

export interface ImportResult {
  /** Absent when nothing was stored. */
  readonly import_id?: number;
  /** `refused` means that no record could be read, so the files have another format. */
  readonly state: 'done' | 'stopped' | 'foretold' | 'refused';
  readonly report: ImportReport;
  /** Why the import was refused. Continues a sentence that begins with the file name. */
  readonly reason?: string;
}

/**
 * Imports one export. Every batch is one transaction. A record that cannot be stored becomes a problem in the report and
 * does not stop the rest. On abort, the records read so far are stored and the same import can be run again. Without a
 * first record nothing is stored and no connection is created.
 */
export async function runImport(
  store: Store,
  found: Pick<FoundExport, 'importer' | 'recognised'>,
  run: RunOptions,
): Promise<ImportResult> {
  if (run.keepFiles === true) refuseKeptFiles(store);
  const secret = await loadKeySecret(store, run.dryRun !== true);
  return withKeySecret(secret, () => importExport(store, found, run));
}

async function importExport(
  store: Store,
  found: Pick<FoundExport, 'importer' | 'recognised'>,
  run: RunOptions,
): Promise<ImportResult> {
  const plan = await planImport(store, found, run);
  const { target, builder, items, local } = plan;
  const isStopped = () => run.signal?.aborted ?? false;
  try {
    let item = await items.next();
    for (; item !== undefined && item.kind !== 'record' && !isStopped(); item = await items.next())
      builder.addItem(item);
    if (isStopped()) return { state: 'stopped', report: makeReport(plan) };
    if (item === undefined) {
      addOpenProblems(plan, run);
      const report = makeReport(plan);
      return { state: 'refused', report, reason: describeRefusal(report) };
    }
    if (run.name !== undefined && target.outcome === 'same' && run.name !== target.name)
      builder.addNote(`The connection keeps its name, ${target.name}. You can rename it on its page.`);
    const keepsFiles = run.keepFiles === true && run.dryRun !== true;
    const files = keepsFiles ? randomUUID() : undefined;
    const created = run.dryRun ? undefined : await beginWriting(store, plan, files);
    const streams = created?.streams ?? (await planStreams(store.read, plan.declaration, target));
    const output = { streams, importId: created?.importId };
    const { connectionId } = target;
    const session =
      files === undefined ? undefined : await KeepSession.open(store.directory, connectionId, files);
    const write = () => writeRecords(store, plan, run, item, { ...output, keepFile: session?.keep });
    const state = await write().finally(() => session?.close(store, connectionId, true));
    addOpenProblems(plan, run);
    if (local.hasLocalTimes())
      builder.addNote(
        `Times without a time zone are read as ${plan.options.timeZone}. If that is wrong, import again with another time zone: records are updated, not duplicated.`,
      );
    if (created === undefined) return { state: 'foretold', report: makeReport(plan) };
    const { importId } = created;
    const self = await addSelf(store.write, target.connectionId, builder.self);
    const report = makeReport(plan, { ...created.added, ...(self.length === 0 ? {} : { self }) });
    await endImport(store.write, importId, state, report, run.now());
    await createEventLog(store.audit)({ kind: 'imported', detail: target.connectionId }, run.now());
    return { import_id: importId, state, report: makeReport(plan) };
  } finally {
    await items.close();
  }
}

type ImportPlan = Awaited<ReturnType<typeof planImport>>;

/** Finds the declaration and the target connection, and starts reading. Stores nothing. */
async function planImport(
  store: Store,
  found: Pick<FoundExport, 'importer' | 'recognised'>,
  run: RunOptions,
) {
  const { importer } = found;
  const reading = trackReading(found.recognised);
  const { recognised } = reading;
  const options =
    run.declaration === undefined ? run.options : { ...run.options, declaration: run.declaration };
  const declared = run.declaration ?? (await importer.declare(recognised, options));
  const declaration =
    importer.isGuessed === true && run.declaration === undefined
      ? await fitDeclaration(store.read, declared)
      : checkDeclaration(declared);
  const { target, keyZone } = await findTarget(
    store.read,
    declaration,
    { importer, recognised },
    run,
    options,
  );
  const builder = new ReportBuilder();
  const local = createLocalTimes(options.timeZone);
  const iterator = importer
    .read(recognised, { ...options, onLocalTime: local.onLocalTime })
    [Symbol.asyncIterator]();
  const items = {
    /** Returns the next item. When the importer throws, the records before the error are kept. */
    async next(): Promise<ImportItem | undefined> {
      try {
        const { done, value } = await iterator.next();
        return done === true ? undefined : value;
      } catch {
        builder.addProblem({ path: reading.currentPath(), reason: 'could not be read completely' });
        return undefined;
      }
    },
    close: async () => iterator.return?.(),
  };
  const startedAt = run.now();
  return { importer, reading, options, declaration, target, keyZone, builder, local, items, startedAt };
}

/** Creates the connection if needed and logs the start of the import. */
async function beginWriting(store: Store, plan: ImportPlan, files: string | undefined) {
  const { declaration, target, reading, startedAt } = plan;
  const { account } = reading.recognised;
  const created = await createTarget(store.write, declaration, target, account, startedAt);
  const added = { ...created.added, ...(files === undefined ? {} : { files }) };
  const importId = await beginImport(store.write, makeReport(plan, added), startedAt);
  return { ...created, added, importId };
}

/** Stores the first record and everything after it, or checks it in a dry run. */
async function writeRecords(
  store: Store,
  { importer, reading, options, keyZone, builder, local, items, startedAt }: ImportPlan,
  run: RunOptions,
  first: ImportItem,
  {
    keepFile,
    ...output
  }: Pick<RecordWriterOptions, 'streams' | 'importId'> & { keepFile?: KeepFile | undefined },
): Promise<'done' | 'stopped'> {
  const scratch = openScratch();
  try {
    const writer = await createRecordWriter({
      ...{ store, scratch, importer, ...output },
      emittedAt: () => startedAt.getTime(),
      keyValue: local.inZone(keyZone),
      count: (stream, outcome) => builder.count(stream, outcome),
      onBatch(stream, changes) {
        run.onChanges?.(stream, changes);
        run.onProgress?.({ ...reading.progress(), records: builder.records });
      },
    });
    /** Returns the key of the record, or reports why it cannot be stored. */
    const add = async (record: ImportItem & { kind: 'record' }): Promise<string | undefined> => {
      const written = await writer.add(record);
      if (written.kind === 'added') return written.key;
      builder.count(record.stream, 'skipped');
      builder.addItem({ ...record, kind: 'problem', reason: written.reason });
      return undefined;
    };
    const budget = new TextBudget();
    const attachments = new AttachmentWriter({
      ...{ budget, keepFile },
      addNote: (note) => builder.addNote(note),
      options: { ...options, onLocalTime: local.onLocalTime },
      findFile: reading.recognised.findFile,
      add: async (data, file) => void (await add({ kind: 'record', stream: ATTACHMENTS, data, file })),
    });
    let item: ImportItem | undefined = first;
    for (; item !== undefined && !run.signal?.aborted; item = await items.next()) {
      if (item.kind !== 'record') {
        builder.addItem(item);
        continue;
      }
      const key = await add(item);
      if (key === undefined || item.attached === undefined || !output.streams.has(ATTACHMENTS)) continue;
      const { consent_time_field: time = '' } = output.streams.get(item.stream)?.declaration ?? {};
      await attachments.add({ key, time: item.data[time], file: item.file }, item.attached);
    }
    const state = run.signal?.aborted ? 'stopped' : 'done';
    await attachments.finish();
    const unread = budget.describeUnread();
    if (unread !== undefined) builder.addNote(unread);
    await writer.finish();
    return state;
  } finally {
    scratch.close();
  }
}

/** Builds the report. `added` is only for the import log, where undo reads it. */
function makeReport(plan: ImportPlan, added: NonNullable<ImportReport['added']> = {}): ImportReport {
  const { importer, declaration, target, keyZone, reading, builder } = plan;
  const { account, files } = reading.recognised;
  return {
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
    files: files.length,
    bytes: reading.progress().bytes,
    ...builder.build(),
    ...(Object.keys(added).length === 0 ? {} : { added }),
  };
}

function addOpenProblems({ reading, builder }: ImportPlan, { openProblems = [] }: RunOptions): void {
  for (const problem of openProblems) if (reading.includes(problem.path)) builder.addProblem(problem);
}

/** Says why an export has no records: the first problem, if there is one. */
function describeRefusal({ title, problems: [first] }: ImportReport): string {
  if (first === undefined) return `looks like ${title}, but contains no records`;
  const place = first.place === undefined ? '' : `${first.place} `;
  return `looks like ${title}, but could not be read: ${place}${first.reason}`;
}
