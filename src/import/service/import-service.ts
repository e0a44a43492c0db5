import { loadCatalog } from '../../schema-index/catalog.ts';
import type { Store } from '../../store/store.ts';
import { createRemovals, type Removals } from './removals.ts';
import { beginUpload, type Upload } from './upload-folder.ts';
import {
  changeJob,
  checkUploadLimit,
  createJob,
  type ExportDecision,
  failJob,
  isOver,
  type Job,
  type JobChoices,
  type JobView,
  MAX_FINISHED_JOBS,
  type UploadRunner,
  uploadMovedOn,
  uploadNotFound,
} from './upload-job.ts';

/** Checks uploads, waits for the owner's decision and imports one at a time. */
export interface ImportService {
  begin(): Promise<Upload>;
  /** Starts a dry run of the upload. */
  check(upload: Upload): Promise<void>;
  get(id: string): Promise<JobView>;
  /** Lists uploads that wait for the owner or are being imported. */
  list(): Promise<JobView[]>;
  recheck(id: string, choices: JobChoices): Promise<void>;
  run(id: string, decisions: readonly ExportDecision[]): Promise<void>;
  /** Stops after the current batch. What is stored stays. */
  stop(id: string): Promise<void>;
  discard(id: string): Promise<void>;
  readonly removals: Removals;
  /** Queues other work that writes a lot. */
  enqueue<T>(work: () => Promise<T>): Promise<T>;
  /** Continues uploads of processes that have ended, until the service is closed. */
  start(): void;
  /** Returns whether closing would discard an upload or interrupt its import. */
  isBusy(): boolean;
  close(): Promise<void>;
}

export interface ImportServiceDeps {
  readonly store: Store;
  readonly runner: UploadRunner;
  readonly onFailure: (error: unknown) => void;
}

/** Uploads are in memory and in the data folder: a restart forgets them. */
export function createImportService({ store, runner, onFailure }: ImportServiceDeps): ImportService {
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
    if (job === undefined) throw uploadNotFound();
    if (states.length > 0 && !states.includes(job.view.state)) throw uploadMovedOn();
    return job;
  };
  /** Runs in the background. The job's view shows the outcome. */
  const start = (job: Job, work: () => Promise<unknown>) => {
    const done = work()
      .catch((error: unknown) => {
        if (job.controller.signal.aborted) return;
        failJob(job, error, onFailure);
      })
      .finally(() => {
        changeJob(job, { progress: null });
        if (isOver(job.view)) job.upload.remove();
        running.delete(done);
      });
    running.add(done);
  };
  const forgetOld = () => {
    const over = [...jobs.values()].filter(({ view }) => isOver(view));
    for (const { view } of over.slice(0, Math.max(0, over.length - MAX_FINISHED_JOBS))) jobs.delete(view.id);
  };
  const listOpen = () => [...jobs.values()].filter(({ view }) => !isOver(view)).map(({ view }) => view);
  return {
    enqueue,
    removals: createRemovals(enqueue, onFailure),
    async begin() {
      checkUploadLimit(listOpen().length);
      return beginUpload(store.directory);
    },
    async check(upload) {
      forgetOld();
      const job = createJob(upload, (await loadCatalog(store.read)).timeZone);
      jobs.set(upload.id, job);
      start(job, () => runner.check(job));
    },
    get: async (id) => find(id).view,
    list: async () => listOpen(),
    start() {},
    isBusy: () => listOpen().length > 0,
    async recheck(id, choices) {
      const job = find(id, 'ready');
      changeJob(job, { state: 'looking', choices });
      start(job, () => runner.check(job));
    },
    async run(id, decisions) {
      const job = find(id, 'ready');
      changeJob(job, { state: 'waiting' });
      start(job, () =>
        enqueue(async () => job.controller.signal.aborted || (await runner.run(job, decisions))),
      );
    },
    async stop(id) {
      const job = find(id, 'waiting', 'running');
      job.controller.abort();
      if (job.view.state === 'waiting') changeJob(job, { state: 'stopped' });
    },
    async discard(id) {
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
