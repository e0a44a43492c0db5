import { loadCatalog } from '../../schema-index/catalog.ts';
import type { Store } from '../../store/store.ts';
import type { LoadImporters } from '../importer.ts';
import { openInputs } from '../open/open-inputs.ts';
import type { Opened } from '../open/opened.ts';
import { type FoundExport, importEach, type Refusal, recogniseOpened } from '../recognise.ts';
import { type RunOptions, runImport } from '../run-import.ts';
import { createPreview } from './export-preview.ts';
import {
  changeJob,
  type ExportDecision,
  type Job,
  type JobExport,
  listFirst,
  NEW_CONNECTION,
  type UploadRunner,
} from './upload-job.ts';

export interface JobDeps {
  readonly store: Store;
  readonly loadImporters: LoadImporters;
  readonly now: () => Date;
}

/** Runs jobs in this thread. */
export function createUploadRunner(deps: JobDeps): UploadRunner {
  return {
    check: (job) => checkUpload(deps, job),
    run: (job, decisions) => runUpload(deps, job, decisions),
  };
}

async function checkUpload(deps: JobDeps, job: Job): Promise<void> {
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

async function runUpload(deps: JobDeps, job: Job, decisions: readonly ExportDecision[]): Promise<void> {
  const { signal } = job.controller;
  await withExports(deps, job, async (found, opened) => {
    changeJob(job, { state: 'running' });
    const importOne = async (one: FoundExport, index: number): Promise<Refusal | undefined> => {
      // Refused as in the dry run, so that the indexes of the decisions fit.
      if (job.refused.has(nameExport(one))) return { state: 'refused', reason: '' };
      const { take, name, keepsFiles } = decisions[index] ?? { take: false };
      if (!take || signal.aborted) return undefined;
      const expected = job.view.exports[index]?.foretold;
      const { import_id, report } = await runImport(deps.store, one, {
        ...createRunOptions(job, one, opened, deps.now),
        // The owner agreed to this connection, even if another one would match by now.
        ...(expected?.connection === 'same' ? { connectionId: expected.connection_id } : { isNew: true }),
        ...(name === undefined ? {} : { name }),
        ...(keepsFiles === true ? { keepFiles: true } : {}),
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
