import { AppError } from '../../errors.ts';
import { loadCatalog } from '../../schema-index/catalog.ts';
import { createJobWork, type ExportWish, type JobWorkDeps } from './job-work.ts';
import { createRemovals, type Removals } from './removals.ts';
import { beginUpload, type Upload } from './upload-folder.ts';
import { changeJob, createJob, type Job, type JobChoices, type JobView } from './upload-job.ts';

/** Checks uploads, waits for the owner's decision and imports one after another. In memory: a restart forgets them. */
export interface ImportService {
  begin(): Upload;
  /** Starts a dry run of the upload. */
  takeIn(upload: Upload): Promise<void>;
  get(id: string): JobView;
  list(): JobView[];
  lookAgain(id: string, choices: JobChoices): void;
  run(id: string, wishes: readonly ExportWish[]): void;
  /** Stops after the current batch. What is stored stays. */
  stop(id: string): void;
  discard(id: string): void;
  readonly removals: Removals;
  /** Runs other work that writes a lot, after what waits already. */
  enqueue<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface ImportServiceDeps extends JobWorkDeps {
  readonly onFailure: (error: unknown) => void;
}

const MAX_WAITING_JOBS = 20;
const MAX_FINISHED_JOBS = 100;
const isOver = ({ view }: Job) => ['done', 'stopped', 'failed', 'nothing'].includes(view.state);

export function createImportService({
  store,
  loadImporters,
  now,
  onFailure,
}: ImportServiceDeps): ImportService {
  const jobs = new Map<string, Job>();
  const works = new Set<Promise<unknown>>();
  let last: Promise<unknown> = Promise.resolve();
  const enqueue = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work);
    last = mine.catch(() => {});
    return mine;
  };
  const find = (id: string, ...states: JobView['state'][]): Job => {
    const job = jobs.get(id);
    if (job === undefined)
      throw new AppError('not_found', 'There is no such upload.', {
        hint: 'It was thrown away, or the server was started anew. Drop the file again.',
      });
    if (states.length > 0 && !states.includes(job.view.state))
      throw new AppError('conflict', 'This upload is past that step.', { hint: 'Reload the page.' });
    return job;
  };
  /** Works in the background; the job's view tells the outcome. */
  const start = (job: Job, work: () => Promise<unknown>) => {
    const done = work()
      .catch((error: unknown) => {
        if (job.controller.signal.aborted) return;
        const expected = error instanceof AppError;
        if (!expected) onFailure(error);
        changeJob(job, { state: 'failed', reason: expected ? error.message : 'It could not be read.' });
      })
      .finally(() => {
        changeJob(job, { progress: null });
        if (isOver(job)) job.upload.remove();
        works.delete(done);
      });
    works.add(done);
  };
  const { look, run } = createJobWork({ store, loadImporters, now });
  const forgetOld = () => {
    const over = [...jobs.values()].filter(isOver);
    for (const { view } of over.slice(0, Math.max(0, over.length - MAX_FINISHED_JOBS))) jobs.delete(view.id);
  };
  return {
    enqueue,
    removals: createRemovals({ enqueue, onFailure }),
    begin() {
      if ([...jobs.values()].filter((job) => !isOver(job)).length >= MAX_WAITING_JOBS)
        throw new AppError('conflict', `${MAX_WAITING_JOBS} uploads wait for you already.`, {
          hint: 'Add or throw away one of them first.',
        });
      return beginUpload(store.directory);
    },
    async takeIn(upload) {
      forgetOld();
      const job = createJob(upload, (await loadCatalog(store.read)).timeZone);
      jobs.set(upload.id, job);
      start(job, () => look(job));
    },
    get: (id) => find(id).view,
    list: () => [...jobs.values()].filter((job) => !isOver(job)).map(({ view }) => view),
    lookAgain(id, choices) {
      const job = find(id, 'ready');
      changeJob(job, { state: 'looking', choices });
      start(job, () => look(job));
    },
    run(id, wishes) {
      const job = find(id, 'ready');
      changeJob(job, { state: 'waiting' });
      start(job, () => enqueue(async () => job.controller.signal.aborted || (await run(job, wishes))));
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
      if (works.size === 0) job.upload.remove();
      else void Promise.allSettled([...works]).then(() => job.upload.remove());
    },
    async close() {
      for (const { controller } of jobs.values()) controller.abort();
      await Promise.allSettled([...works, last]);
    },
  };
}
