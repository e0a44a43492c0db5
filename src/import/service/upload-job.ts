import { loadCatalog } from '../../schema-index/catalog.ts';
import type { Store } from '../../store/store.ts';
import type { ImportReport } from '../import-report.ts';
import type { LoadImporters } from '../importer.ts';
import { openInputs } from '../open/open-inputs.ts';
import type { Opened, OpenProblem } from '../open/opened.ts';
import { type FoundExport, importEach, type Refusal, recogniseOpened } from '../recognise.ts';
import { type ImportProgress, type RunOptions, runImport } from '../run-import.ts';
import { createPreview, type ExportPreview } from './export-preview.ts';
import type { Upload } from './upload-folder.ts';

/** `looking` is a dry run, `ready` waits for the owner, `waiting` waits in the queue, `nothing` found no export. */
type JobState = 'looking' | 'ready' | 'nothing' | 'waiting' | 'running' | 'done' | 'stopped' | 'failed';

/** One export of an upload. */
export interface JobExport {
  readonly format: string;
  readonly title: string;
  readonly files: readonly string[];
  readonly files_total: number;
  /** The report of the dry run. */
  readonly foretold: ImportReport;
  readonly preview: ExportPreview;
  /** Connections of the same source. */
  readonly candidates: readonly { readonly connection_id: string; readonly name: string }[];
  /** Set when it is stored. */
  result: { readonly import_id: number; readonly report: ImportReport } | null;
}

/** Stands for a new connection. No connection has this id. */
export const NEW_CONNECTION = '*';

export interface JobChoices {
  readonly time_zone: string;
  /** Whether 03/04 is the third of April. Null: detect it. */
  readonly day_first: boolean | null;
  /** The format of the files. Null: detect it. */
  readonly format: string | null;
  /** The connection for each export, or `NEW_CONNECTION`. Null: choose automatically. */
  readonly into: readonly (string | null)[];
}

/** What the owner decided about one export. */
export interface ExportWish {
  readonly take: boolean;
  readonly name?: string;
}

/** An upload as the page and its JSON show it. */
export interface JobView {
  readonly id: string;
  readonly state: JobState;
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
  readonly files_total: number;
  readonly bytes: number;
  readonly exports: readonly JobExport[];
  readonly refused: readonly OpenProblem[];
  readonly refused_total: number;
  readonly not_recognised: readonly string[];
  readonly not_recognised_total: number;
  readonly choices: JobChoices;
  readonly progress: (ImportProgress & { readonly title: string }) | null;
  readonly reason: string | null;
}

export interface Job {
  readonly upload: Upload;
  controller: AbortController;
  view: JobView;
  /** Exports that the dry run refused. Their files are read in another format. */
  readonly refused: Set<string>;
}

const MAX_LISTED = 50;
const listFirst = <T>(items: readonly T[]): T[] => items.slice(0, MAX_LISTED);

export function createJob(upload: Upload, timeZone: string): Job {
  const { id, files } = upload;
  return {
    upload,
    controller: new AbortController(),
    refused: new Set(),
    view: {
      id,
      state: 'looking',
      files: listFirst(files).map(({ path, bytes }) => ({ path, bytes })),
      files_total: files.length,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      ...{ exports: [], refused: [], refused_total: 0, not_recognised: [], not_recognised_total: 0 },
      choices: { time_zone: timeZone, day_first: null, format: null, into: [] },
      ...{ progress: null, reason: null },
    },
  };
}

export function changeJob(job: Job, changes: Partial<JobView>): void {
  job.view = { ...job.view, ...changes };
}

export interface JobDeps {
  readonly store: Store;
  readonly loadImporters: LoadImporters;
  readonly now: () => Date;
}

/** Checks an upload with a dry run. The page then shows what an import would do. */
export async function checkUpload(deps: JobDeps, job: Job): Promise<void> {
  await withExports(deps, job, async (found, opened) => {
    job.refused.clear();
    const exports = await importEach(
      found,
      (one, index) => checkExport(deps, job, one, opened, index),
      ({ path, reason }) => opened.refuse(path, reason),
    );
    if (job.controller.signal.aborted) return;
    showRefused(job, opened);
    // If the owner chose the format, they can choose another one.
    const isOver = exports.length === 0 && job.view.choices.format === null;
    changeJob(job, { state: isOver ? 'nothing' : 'ready', exports });
  });
}

async function checkExport(
  { store, now }: JobDeps,
  job: Job,
  one: FoundExport,
  opened: Opened,
  index: number,
): Promise<JobExport | Refusal> {
  const { time_zone, into } = job.view.choices;
  const connectionId = into[index] ?? null;
  const preview = createPreview(time_zone);
  const { state, report, reason } = await runImport(store, one, {
    ...createRunOptions(job, one, opened, now),
    ...(connectionId === NEW_CONNECTION ? { isNew: true } : connectionId === null ? {} : { connectionId }),
    dryRun: true,
    onChanges: preview.add,
  });
  if (state === 'refused') {
    job.refused.add(nameExport(one));
    return { state, reason: reason ?? '' };
  }
  const { connections } = await loadCatalog(store.read);
  const candidates = connections
    .filter(({ connector_key }) => connector_key === report.connector_key)
    .map(({ connection_id, display_name }) => ({ connection_id, name: display_name }));
  const { format, title } = one.importer;
  const paths = one.recognised.files.map(({ path }) => path);
  return {
    ...{ format, title, files: listFirst(paths), files_total: paths.length },
    ...{ foretold: report, preview: preview.build(), candidates, result: null },
  };
}

/** Imports the exports that the owner accepted. */
export async function runUpload(deps: JobDeps, job: Job, wishes: readonly ExportWish[]): Promise<void> {
  const { signal } = job.controller;
  await withExports(deps, job, async (found, opened) => {
    changeJob(job, { state: 'running' });
    const importOne = async (one: FoundExport, index: number): Promise<Refusal | undefined> => {
      // Refused as in the dry run, so that the indexes of the wishes fit.
      if (job.refused.has(nameExport(one))) return { state: 'refused', reason: '' };
      const { take, name } = wishes[index] ?? { take: false };
      if (!take || signal.aborted) return undefined;
      const expected = job.view.exports[index]?.foretold;
      const { import_id, report } = await runImport(deps.store, one, {
        ...createRunOptions(job, one, opened, deps.now),
        // The owner agreed to this connection, even if another one would match by now.
        ...(expected?.connection === 'same' ? { connectionId: expected.connection_id } : { isNew: true }),
        ...(name === undefined ? {} : { name }),
      });
      // Stopped before its first record.
      if (import_id === undefined) return undefined;
      const exports = job.view.exports.map((shown, at) =>
        at === index ? { ...shown, result: { import_id, report } } : shown,
      );
      changeJob(job, { exports });
      return undefined;
    };
    await importEach(found, importOne, () => {});
    changeJob(job, { state: signal.aborted ? 'stopped' : 'done' });
  });
}

/** Opens the upload and finds its exports. Both runs find the same exports in the same order. */
async function withExports(
  { loadImporters }: JobDeps,
  job: Job,
  work: (found: readonly FoundExport[], opened: Opened) => Promise<void>,
): Promise<void> {
  const opened = await openInputs(job.upload.files);
  try {
    const { format } = job.view.choices;
    const { found, leftovers } = await recogniseOpened(await loadImporters(), opened, format ?? undefined);
    showRefused(job, opened);
    changeJob(job, {
      not_recognised: listFirst(leftovers).map(({ path }) => path),
      not_recognised_total: leftovers.length,
    });
    await work(found, opened);
  } finally {
    opened.close();
  }
}

function createRunOptions(job: Job, one: FoundExport, opened: Opened, now: () => Date): RunOptions {
  const { time_zone: timeZone, day_first: dayFirst } = job.view.choices;
  return {
    options: dayFirst === null ? { timeZone } : { timeZone, dayFirst },
    openProblems: opened.problems,
    signal: job.controller.signal,
    now,
    onProgress: (progress) => changeJob(job, { progress: { ...progress, title: one.importer.title } }),
  };
}

function showRefused(job: Job, { problems }: Opened): void {
  changeJob(job, { refused: listFirst(problems), refused_total: problems.length });
}

/** Returns the same name for the same export, each time the upload is opened. */
const nameExport = ({ importer, recognised }: FoundExport) =>
  JSON.stringify([importer.format, recognised.files[0]?.path]);
