import { loadCatalog } from '../../schema-index/catalog.ts';
import type { ImportService } from './import-service.ts';
import { createSharedRemovals } from './shared-removals.ts';
import {
  parseUpload,
  type SharedImportDeps,
  SharedRuns,
  STEPS,
  type StoredUpload,
  toRow,
} from './shared-runs.ts';
import { beginSharedUpload, listShared, RECEIVING } from './shared-upload.ts';
import {
  checkUploadLimit,
  createJob,
  isOver,
  type JobView,
  uploadMovedOn,
  uploadNotFound,
} from './upload-job.ts';

/** How often a process looks for jobs of processes that have ended. */
const SWEEP_MS = 2_000;

/**
 * Uploads are in the database, so that requests of one browser can reach any process. The process that gets a request
 * works on it. If it ends, another continues: a check is made again, and an interrupted import is checked again, so that
 * the owner sees what is left.
 */
export function createSharedImportService(deps: SharedImportDeps): ImportService {
  const { store, shared, onFailure, now } = deps;
  const { jobs } = shared;
  const runs = new SharedRuns(deps);
  const removals = createSharedRemovals({
    ...{ jobs, leases: shared.leases, onFailure, now },
    enqueue: (work) => runs.enqueue(work),
    track: (work) => runs.track(work),
  });
  const listUploads = async () => (await jobs.list('upload')).filter(({ state }) => state !== RECEIVING);
  const find = async (id: string): Promise<StoredUpload> => {
    const job = await jobs.find(id);
    if (job === undefined || job.kind !== 'upload' || job.state === RECEIVING) throw uploadNotFound();
    return parseUpload(job);
  };
  const list = async () =>
    (await listUploads()).map((job) => parseUpload(job).view).filter((view) => !isOver(view));
  /** Moves an upload from one state to another, and starts the step. */
  const begin = async (stored: StoredUpload, from: string, to: Partial<JobView>, detail = stored.detail) => {
    const view = { ...stored.view, ...to };
    if (!(await jobs.change(stored.id, [from], toRow(view, detail), now()))) throw uploadMovedOn();
    if (STEPS.includes(view.state)) runs.launch(stored.id);
  };
  let sweep: NodeJS.Timeout | undefined;
  return {
    removals,
    enqueue: (work) => runs.enqueue(work),
    async begin() {
      checkUploadLimit((await list()).length);
      return beginSharedUpload(store.directory, jobs, now());
    },
    async check(upload) {
      const { view } = createJob(upload, (await loadCatalog(store.read)).timeZone);
      const detail = { files: listShared(upload.files), refused: [], decisions: [] };
      await begin({ id: upload.id, view, detail }, RECEIVING, {});
    },
    get: async (id) => (await find(id)).view,
    list,
    recheck: async (id, choices) => begin(await find(id), 'ready', { state: 'looking', choices }),
    async run(id, decisions) {
      const stored = await find(id);
      await begin(stored, 'ready', { state: 'waiting' }, { ...stored.detail, decisions });
    },
    async stop(id) {
      const stored = await find(id);
      if (stored.view.state !== 'waiting') {
        if (!(await jobs.askToStop(id, ['running']))) throw uploadMovedOn();
        return;
      }
      await begin(stored, 'waiting', { state: 'stopped' });
      await jobs.removeParts(id);
    },
    async discard(id) {
      await find(id);
      if (!(await jobs.remove(id, ['looking', 'ready', 'nothing', 'failed']))) throw uploadMovedOn();
      runs.forget(id);
    },
    start() {
      sweep ??= setInterval(() => runs.track(runs.sweep(removals.fail)), SWEEP_MS).unref();
    },
    isBusy: () => runs.isBusy,
    async close() {
      clearInterval(sweep);
      await runs.close();
    },
  };
}
