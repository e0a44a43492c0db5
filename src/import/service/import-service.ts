import { AppError } from '../../errors.ts';
import { loadCatalog } from '../../schema-index/catalog.ts';
import { createRemovals, type Removals } from './removals.ts';
import { beginUpload, type Upload } from './upload-folder.ts';
import {
  changeJob,
  checkUpload,
  createJob,
  type ExportWish,
  type Job,
  type JobChoices,
  type JobDeps,
  type JobView,
  runUpload,
} from './upload-job.ts';

/** Checks uploads, waits for the owner's decision and imports one at a time. A restart forgets all uploads. */
export interface ImportService {
  begin(): Upload;
  /** Starts a dry run of the upload. */
  check(upload: Upload): Promise<void>;
  get(id: string): JobView;
  list(): JobView[];
  checkAgain(id: string, choices: JobChoices): void;
  run(id: string, wishes: readonly ExportWish[]): void;
  /** Stops after the current batch. What is stored stays. */
  stop(id: string): void;
  discard(id: string): void;
  readonly removals: Removals;
  /** Queues other work that writes a lot. */
  enqueue<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface ImportServiceDeps extends JobDeps {
  readonly onFailure: (error: unknown) => void;
}

const MAX_WAITING_JOBS = 20;
const MAX_FINISHED_JOBS = 100;
const isOver = ({ view }: Job) => ['done', 'stopped', 'failed', 'nothing'].includes(view.state);

export function createImportService({ onFailure, ...deps }: ImportServiceDeps): ImportService {
  const { store } = deps;
  const jobs = new Map<string, Job>();
  const running = new Set<Promise<unknown>>();
  let last: Promise<unknown> = Promise.resolve();
  const enqueue = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work);
    last = mine.catch(() => {});
    return mine;
  };
  const find = (id: string, ...states: JobView['state'][]): Job => {
    const job = jobs.get(id);
    if (job === undefined)
      throw new AppError('not_found', 'Upload not found.', {
        hint: 'It was discarded, or the server was restarted. Upload the file again.',
      });
    if (states.length > 0 && !states.includes(job.view.state))
      throw new AppError('conflict', 'This upload is no longer at that step.', { hint: 'Reload the page.' });
    return job;
  };
  /** Runs in the background. The job's view shows the outcome. */
  const start = (job: Job, work: () => Promise<unknown>) => {
    const done = work()
      .catch((error: unknown) => {
        if (job.controller.signal.aborted) return;
        const expected = error instanceof AppError;
        if (!expected) onFailure(error);
        changeJob(job, {
          state: 'failed',
          reason: expected ? error.message : 'The upload could not be read.',
        });
      })
      .finally(() => {
        changeJob(job, { progress: null });
        if (isOver(job)) job.upload.remove();
        running.delete(done);
      });
    running.add(done);
  };
  const forgetOld = () => {
    const over = [...jobs.values()].filter(isOver);
    for (const { view } of over.slice(0, Math.max(0, over.length - MAX_FINISHED_JOBS))) jobs.delete(view.id);
  };
  return {
    enqueue,
    removals: createRemovals(enqueue, onFailure),
    begin() {
      if ([...jobs.values()].filter((job) => !isOver(job)).length >= MAX_WAITING_JOBS)
        throw new AppError('conflict', `You already have ${MAX_WAITING_JOBS} uploads to review.`, {
          hint: 'Import or discard one of them first.',
        });
      return beginUpload(store.directory);
    },
    async check(upload) {
      forgetOld();
      const job = createJob(upload, (await loadCatalog(store.read)).timeZone);
      jobs.set(upload.id, job);
      start(job, () => checkUpload(deps, job));
    },
    get: (id) => find(id).view,
    list: () => [...jobs.values()].filter((job) => !isOver(job)).map(({ view }) => view),
    checkAgain(id, choices) {
      const job = find(id, 'ready');
      changeJob(job, { state: 'looking', choices });
      start(job, () => checkUpload(deps, job));
    },
    run(id, wishes) {
      const job = find(id, 'ready');
      changeJob(job, { state: 'waiting' });
      start(job, () =>
        enqueue(async () => job.controller.signal.aborted || (await runUpload(deps, job, wishes))),
      );
    },
    stop(id) {
      const job = find(id, 'waiting', 'running');
      job.controller.abort();
      if (job.view.state === 'waiting') changeJob(job, { state: 'stopped' });
    },
    discard(id) {
      const job = find(id, 'looking', 'ready', 'nothing', 'failed');
      job.controller.abort();
      jobs.delete(id);
      if (running.size === 0) job.upload.remove();
      else void Promise.allSettled([...running]).then(() => job.upload.remove());
    },
    async close() {
      for (const { controller } of jobs.values()) controller.abort();
      await Promise.allSettled([...running, last]);
    },
  };
}
