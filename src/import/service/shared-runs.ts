import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../errors.ts';
import { jobLease, type SharedState, type StoredJob } from '../../store/shared-state.ts';
import type { ImportServiceDeps } from './import-service.ts';
import { withSavedProgress } from './save-progress.ts';
import { openSharedUpload, RECEIVING, type SharedFile } from './shared-upload.ts';
import { uploadFolder } from './upload-folder.ts';
import {
  changeJob,
  type ExportDecision,
  failJob,
  isOver,
  type Job,
  type JobView,
  MAX_FINISHED_JOBS,
} from './upload-job.ts';

export interface SharedImportDeps extends ImportServiceDeps {
  readonly shared: SharedState;
  readonly now: () => Date;
}

/** What the next step of an upload needs, in any process. */
interface JobDetail {
  readonly files: readonly SharedFile[];
  readonly refused: readonly string[];
  readonly decisions: readonly ExportDecision[];
}

export type StoredUpload = { readonly id: string; readonly view: JobView; readonly detail: JobDetail };

/** The polling interval of a process that waits to write. */
const TURN_MS = 200;
const MAX_CLAIMS = 10;
/** The steps that a process works on; in the other states an upload waits for the owner. */
export const STEPS: readonly string[] = ['looking', 'waiting', 'running'];

export const toRow = (view: JobView, detail: JobDetail) => ({
  state: view.state,
  view: JSON.stringify(view),
  detail: JSON.stringify(detail),
});

export function parseUpload({ id, view, detail }: StoredJob): StoredUpload {
  return { id, view: JSON.parse(view) as JobView, detail: JSON.parse(detail) as JobDetail };
}

/** The jobs that this process works on. */
export class SharedRuns {
  readonly #deps: SharedImportDeps;
  readonly #controllers = new Map<string, AbortController>();
  readonly #tracked = new Set<Promise<unknown>>();
  /** Uploads with a copy in the data folder of this process. */
  readonly #copies = new Set<string>();
  /** Uploads whose next step was asked for while this process works on the previous one. */
  readonly #next = new Set<string>();
  #isClosing = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor(deps: SharedImportDeps) {
    this.#deps = deps;
  }

  get isBusy(): boolean {
    return this.#controllers.size > 0;
  }

  /** Remembers work that closing waits for. */
  track(work: Promise<unknown>): void {
    const tracked = work
      .catch((error: unknown) => {
        if (!(error instanceof AppError)) this.#deps.onFailure(error);
      })
      .finally(() => this.#tracked.delete(tracked));
    this.#tracked.add(tracked);
  }

  /** Queues work that writes a lot after that of this and other processes. */
  enqueue<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(async () => {
      while (!this.#isClosing) {
        const ran = await this.#deps.shared.leases.tryRun('imports', work);
        if (ran !== undefined) return ran.result;
        await sleep(TURN_MS);
      }
      throw new AppError('busy', 'The server is stopping.', { hint: 'Try again in a moment.' });
    });
    this.#last = mine.catch(() => {});
    return mine;
  }

  /** Works on the next step of an upload in the background, unless another process does. */
  launch(id: string): void {
    if (this.#isClosing) return;
    // The previous step has not ended completely.
    if (this.#controllers.has(id)) return void this.#next.add(id);
    const controller = new AbortController();
    this.#controllers.set(id, controller);
    const end = () => {
      this.#controllers.delete(id);
      if (this.#next.delete(id)) this.launch(id);
    };
    this.track(this.#claim(id, controller).finally(end));
  }

  async #claim(id: string, controller: AbortController): Promise<void> {
    const { leases } = this.#deps.shared;
    // The process that finished the previous step may still hold the lease for a moment.
    for (let claim = 0; claim < MAX_CLAIMS; claim++) {
      if (await leases.tryRun(jobLease(id), (lost) => this.#work(id, controller, lost))) return;
      await sleep(TURN_MS / 4);
    }
  }

  async #work(id: string, controller: AbortController, lost: AbortSignal): Promise<void> {
    const { shared, runner } = this.#deps;
    const findStep = async () => {
      const job = await shared.jobs.find(id);
      return job !== undefined && STEPS.includes(job.state) ? parseUpload(job) : undefined;
    };
    lost.addEventListener('abort', () => controller.abort(), { once: true });
    const stored = await findStep();
    if (stored === undefined) return;
    if (stored.view.state !== 'waiting') {
      const looking = { ...stored, view: { ...stored.view, state: 'looking' as const } };
      return this.#runJob(looking, controller, lost, (job) => runner.check(job));
    }
    await this.enqueue(async () => {
      const current = await findStep();
      if (current?.view.state !== 'waiting' || controller.signal.aborted) return;
      await this.#runJob(current, controller, lost, (job) => runner.run(job, current.detail.decisions));
    });
  }

  async #runJob(
    { id, view, detail }: StoredUpload,
    controller: AbortController,
    lost: AbortSignal,
    work: (job: Job) => Promise<void>,
  ): Promise<void> {
    const { store, shared, onFailure, now } = this.#deps;
    const { jobs } = shared;
    this.#copies.add(id);
    const upload = await openSharedUpload(store.directory, jobs, id, detail.files);
    const job: Job = { upload, controller, view, refused: new Set(detail.refused) };
    const save = async () => {
      const row = toRow(job.view, { ...detail, refused: [...job.refused] });
      const next = await jobs.save(id, row, now());
      if (next !== 'running') controller.abort();
      return next;
    };
    await withSavedProgress(
      () => job.view,
      async () => void (await save()),
      () =>
        work(job).catch((error: unknown) => {
          if (!controller.signal.aborted) failJob(job, error, onFailure);
        }),
    );
    // Another process works on it by now.
    if (lost.aborted) return;
    // The owner did not stop it: another process checks what is left to import.
    if (this.#isClosing && (job.view.state === 'stopped' || job.view.state === 'running'))
      changeJob(job, { state: 'looking' });
    changeJob(job, { progress: null });
    if (isOver(job.view)) this.#removeCopy(id);
    const isGone = (await save()) === 'gone';
    if (isGone) this.#removeCopy(id);
    else if (isOver(job.view)) await jobs.removeParts(id);
  }

  /** Removes the files of a discarded upload. A step that still reads them does so itself. */
  forget(id: string): void {
    if (!this.#controllers.has(id)) this.#removeCopy(id);
  }

  #removeCopy(id: string): void {
    rmSync(uploadFolder(this.#deps.store.directory, id), { recursive: true, force: true });
    this.#copies.delete(id);
  }

  /** Continues jobs that no process works on, and forgets old ones. */
  async sweep(failRemoval: (id: string) => Promise<void>): Promise<void> {
    const { jobs } = this.#deps.shared;
    const states = await jobs.states();
    for (const { id, kind, state, isHeld } of states) {
      if (isHeld || !STEPS.includes(state)) continue;
      if (kind === 'upload') this.launch(id);
      else await failRemoval(id);
    }
    const present = new Set(
      states.filter((job) => job.state === 'ready' || STEPS.includes(job.state)).map(({ id }) => id),
    );
    for (const id of this.#copies) if (!present.has(id) && !this.#controllers.has(id)) this.#removeCopy(id);
    const over = states.filter(
      ({ state }) => !STEPS.includes(state) && state !== 'ready' && state !== RECEIVING,
    );
    for (const { id, state } of over.slice(0, Math.max(0, over.length - 2 * MAX_FINISHED_JOBS)))
      await jobs.remove(id, [state]);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    for (const controller of this.#controllers.values()) controller.abort();
    await Promise.allSettled([...this.#tracked, this.#last]);
  }
}
