import type { Worker } from 'node:worker_threads';
import type { SyncRunner } from '../accounts/run/scheduler.ts';
import type { SyncOutcome } from '../accounts/run/sync-options.ts';
import type { ExportDecision, Job, UploadRunner } from '../import/service/upload-job.ts';
import type { CallPause } from './call-pause.ts';
import type { FromImportThread, ImportTask, SyncTask, ToImportThread } from './import-messages.ts';
import { startThread } from './start-thread.ts';
import { receiveError } from './thread-errors.ts';

export interface ImportThreadOptions {
  readonly directory: string;
  /** Waits for a slot in the write queue of the process. The returned function releases the slot. */
  readonly enterQueue: () => Promise<() => void>;
  /** Makes syncs pause while apps send calls. */
  readonly callPause?: CallPause;
  /** Logs an unexpected error of a sync under an id. */
  readonly onSyncError?: (error: Error, id: string) => void;
}

/** Runs uploads and syncs. */
export interface ImportRunner extends UploadRunner {
  readonly sync: SyncRunner;
}

/** How long a thread waits for another job. An import usually follows its dry run. */
const IDLE_MS = 15_000;

/**
 * Runs jobs in a thread of its own, which reads files and writes records while this thread answers requests. The thread
 * ends after its last job, because the importers take about a hundred megabytes.
 */
export function createImportThread(options: ImportThreadOptions): ImportRunner {
  let thread: ImportThread | undefined;
  const use = () => {
    if (thread === undefined || thread.hasEnded) thread = new ImportThread(options);
    return thread;
  };
  const run = (job: Job, decisions?: readonly ExportDecision[]) => use().run(job, decisions);
  return { check: (job) => run(job), run, sync: (accountId, signal) => use().sync(accountId, signal) };
}

interface Task {
  /** Absent for a sync. */
  readonly job: Job | undefined;
  readonly resolve: (outcome?: SyncOutcome) => void;
  readonly reject: (error: Error) => void;
}

class ImportThread {
  hasEnded = false;
  readonly #worker: Worker;
  readonly #enterQueue: ImportThreadOptions['enterQueue'];
  readonly #callPause: ImportThreadOptions['callPause'];
  readonly #onSyncError: ImportThreadOptions['onSyncError'];
  readonly #tasks = new Map<number, Task>();
  /** Functions that release the thread's slots in the write queue. */
  readonly #queueSlots = new Map<number, () => void>();
  #lastTask = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor({ directory, enterQueue, callPause, onSyncError }: ImportThreadOptions) {
    this.#enterQueue = enterQueue;
    this.#callPause = callPause;
    this.#onSyncError = onSyncError;
    this.#worker = startThread('import-worker', { directory });
    this.#worker.on('message', (message: FromImportThread) => void this.#receive(message));
    this.#worker.on('error', (error) => this.#handleEnd(error));
    this.#worker.on('exit', () => this.#handleEnd(new Error('the thread ended')));
  }

  async run(job: Job, decisions: readonly ExportDecision[] | undefined): Promise<void> {
    const { upload, view, refused, controller } = job;
    const message = { files: upload.files, view, refused, decisions };
    await this.#runTask(job, message, controller.signal);
  }

  async sync(account: string, signal: AbortSignal): Promise<SyncOutcome> {
    const outcome = await this.#runTask(undefined, { account }, signal);
    if (outcome === undefined) throw new Error('a sync ended without an outcome');
    return outcome;
  }

  async #runTask(
    job: Job | undefined,
    message: Omit<ImportTask, 'task'> | Omit<SyncTask, 'task'>,
    signal: AbortSignal,
  ): Promise<SyncOutcome | undefined> {
    const task = ++this.#lastTask;
    const ended = new Promise<SyncOutcome | undefined>((resolve, reject) => {
      this.#tasks.set(task, { job, resolve, reject });
    });
    clearTimeout(this.#idle);
    // The process does not end while a job runs.
    this.#worker.ref();
    const stop = () => this.#send({ stop: task });
    signal.addEventListener('abort', stop, { once: true });
    this.#send({ task, ...message });
    if (signal.aborted) stop();
    try {
      return await ended;
    } finally {
      signal.removeEventListener('abort', stop);
      this.#tasks.delete(task);
      if (this.#tasks.size === 0) this.#startIdleTimer();
    }
  }

  #startIdleTimer(): void {
    this.#worker.unref();
    this.#idle = setTimeout(() => {
      this.hasEnded = true;
      void this.#worker.terminate();
    }, IDLE_MS).unref();
  }

  #send(message: ToImportThread): void {
    this.#worker.postMessage(message);
  }

  async #receive(message: FromImportThread): Promise<void> {
    if ('wait' in message) {
      // Somebody waits for an upload, but nobody for a sync.
      const onlySyncs = [...this.#tasks.values()].every(({ job }) => job === undefined);
      if (onlySyncs) await this.#callPause?.wait();
      const leave = await this.#enterQueue();
      if (this.hasEnded) return leave();
      this.#queueSlots.set(message.wait, leave);
      this.#send({ enter: message.wait });
    } else if ('leave' in message) {
      this.#queueSlots.get(message.leave)?.();
      this.#queueSlots.delete(message.leave);
    } else if ('syncError' in message) this.#onSyncError?.(receiveError(message.syncError), message.id);
    else {
      const task = this.#tasks.get(message.task);
      if (task === undefined) return;
      if ('outcome' in message) return task.resolve(message.outcome);
      const { job } = task;
      if ('view' in message) {
        if (job !== undefined) job.view = message.view;
      } else {
        job?.refused.clear();
        for (const name of message.refused) job?.refused.add(name);
        if (message.error === undefined) task.resolve();
        else task.reject(receiveError(message.error));
      }
    }
  }

  /** Fails the running tasks. SQLite rolls back what the thread was writing. */
  #handleEnd(error: Error): void {
    this.hasEnded = true;
    for (const leave of this.#queueSlots.values()) leave();
    this.#queueSlots.clear();
    for (const { reject } of this.#tasks.values()) reject(error);
  }
}
