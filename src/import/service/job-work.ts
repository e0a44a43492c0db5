import { loadCatalog } from '../../schema-index/catalog.ts';
import type { Store } from '../../store/store.ts';
import type { ImportReport } from '../import-report.ts';
import type { ImportOptions, LoadImporters } from '../importer.ts';
import { openInputs } from '../open/open-inputs.ts';
import type { Opened } from '../open/opened.ts';
import { type FoundExport, importEach, type Refusal, recogniseOpened } from '../recognise.ts';
import { type RunOptions, runImport } from '../run-import.ts';
import type { TargetWish } from '../target/target.ts';
import { createPreview } from './export-preview.ts';
import {
  changeJob,
  type Job,
  type JobChoices,
  type JobExport,
  NEW_CONNECTION,
  nameFirst,
} from './upload-job.ts';

export interface ExportWish {
  readonly take: boolean;
  readonly name?: string;
}

export interface JobWorkDeps {
  readonly store: Store;
  readonly loadImporters: LoadImporters;
  readonly now: () => Date;
}

/** What is done with an upload: looked at without storing, and stored. Both find the same exports in the same order. */
export function createJobWork({ store, loadImporters, now }: JobWorkDeps) {
  const withFound = async (
    job: Job,
    work: (found: readonly FoundExport[], opened: Opened) => Promise<void>,
  ) => {
    const opened = await openInputs(job.upload.files);
    try {
      const { format } = job.view.choices;
      const { found, leftovers } = await recogniseOpened(await loadImporters(), opened, format ?? undefined);
      noteRefused(job, opened);
      changeJob(job, {
        not_recognised: nameFirst(leftovers).map(({ path }) => path),
        not_recognised_total: leftovers.length,
      });
      await work(found, opened);
    } finally {
      opened.close();
    }
  };
  const optionsOf = (job: Job, one: FoundExport, opened: Opened): RunOptions => ({
    options: readChoices(job.view.choices),
    openProblems: opened.problems,
    signal: job.controller.signal,
    now,
    onProgress: (progress) => changeJob(job, { progress: { ...progress, title: one.importer.title } }),
  });
  const noteRefused = (job: Job, { problems }: Opened) =>
    changeJob(job, { refused: nameFirst(problems), refused_total: problems.length });
  const lookAtOne = async (
    job: Job,
    one: FoundExport,
    opened: Opened,
    index: number,
  ): Promise<JobExport | Refusal> => {
    const { choices } = job.view;
    const preview = createPreview(choices.time_zone);
    const { state, report, reason } = await runImport(store, one, {
      ...optionsOf(job, one, opened),
      ...readInto(choices, index),
      dryRun: true,
      onChanges: preview.add,
    });
    if (state === 'refused') {
      job.refused.add(nameExport(one));
      return { state, reason: reason ?? '' };
    }
    const { format, title } = one.importer;
    const paths = one.recognised.files.map(({ path }) => path);
    return {
      ...{ format, title, files: nameFirst(paths), files_total: paths.length },
      ...{ foretold: report, preview: preview.build(), candidates: await listCandidates(store, report) },
      result: null,
    };
  };
  const look = (job: Job) =>
    withFound(job, async (found, opened) => {
      job.refused.clear();
      const exports = await importEach(
        found,
        (one, index) => lookAtOne(job, one, opened, index),
        ({ path, reason }) => opened.refuse(path, reason),
      );
      if (job.controller.signal.aborted) return;
      noteRefused(job, opened);
      // Where the owner named the format, they can name another.
      const isOver = exports.length === 0 && job.view.choices.format === null;
      changeJob(job, { state: isOver ? 'nothing' : 'ready', exports });
    });
  const run = (job: Job, wishes: readonly ExportWish[]) =>
    withFound(job, async (found, opened) => {
      changeJob(job, { state: 'running' });
      const addOne = async (one: FoundExport, index: number): Promise<Refusal | undefined> => {
        // Refused as in the dry run, so that the owner's wishes keep their indexes.
        if (job.refused.has(nameExport(one))) return { state: 'refused', reason: '' };
        const { take, name } = wishes[index] ?? { take: false };
        if (!take || job.controller.signal.aborted) return undefined;
        const foretold = job.view.exports[index]?.foretold;
        const { import_id, report } = await runImport(store, one, {
          ...optionsOf(job, one, opened),
          // The owner agreed to this target; what was stored since does not change it.
          ...(foretold?.connection === 'same' ? { connectionId: foretold.connection_id } : { isNew: true }),
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
      await importEach(found, addOne, () => {});
      changeJob(job, { state: job.controller.signal.aborted ? 'stopped' : 'done' });
    });
  return { look, run };
}

/** The same for the same export of an upload, each time it is opened. */
const nameExport = ({ importer, recognised }: FoundExport) =>
  JSON.stringify([importer.format, recognised.files[0]?.path]);

function readInto({ into }: JobChoices, index: number): TargetWish {
  const connectionId = into[index] ?? null;
  if (connectionId === NEW_CONNECTION) return { isNew: true };
  return connectionId === null ? {} : { connectionId };
}

async function listCandidates(store: Store, report: ImportReport): Promise<JobExport['candidates']> {
  const { connections } = await loadCatalog(store.read);
  return connections
    .filter(({ connector_key }) => connector_key === report.connector_key)
    .map(({ connection_id, display_name }) => ({ connection_id, name: display_name }));
}

function readChoices({ time_zone: timeZone, day_first: dayFirst }: JobChoices): ImportOptions {
  return dayFirst === null ? { timeZone } : { timeZone, dayFirst };
}
