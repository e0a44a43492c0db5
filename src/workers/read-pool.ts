import type { Worker } from 'node:worker_threads';
import type { AppError } from '../errors.ts';
import type { Grant } from '../grants/grant.ts';
import { cancelled, timedOut } from '../reads/deadline.ts';
import type { NamedRead, Performed, PerformOptions, PerformRead } from '../reads/granted-read.ts';
import { tools } from '../tools/index.ts';
import type { Dictionary } from '../words/spellings.ts';
import { type FromWorker, type Job, MAX_GRANTS, type WorkerSettings } from './messages.ts';
import { startThread } from './start-thread.ts';
import { receiveError } from './thread-errors.ts';

export interface ReadPoolOptions extends Omit<WorkerSettings, 'stopped'> {
  readonly size: number;
  /** How long a call may take. */
  readonly deadlineMs: number;
  /** Threads end after this time without a call. The next call starts them again. Undefined: they never end. */
  readonly idleMs?: number | undefined;
}

export interface ReadPool {
  readonly size: number;
  /** Starts the threads now instead of with the first call. */
  start(): void;
  /** Returns whether a read runs in a worker. Short reads run in the main thread. */
  usesWorker(read: NamedRead, input: unknown): boolean;
  /**
   * Returns a performer that runs reads in workers, and short ones with `performInThread`. Workers ask this thread
   * for words of the dictionary, so that only one is in memory.
   */
  createPerform(performInThread: PerformRead, dictionary: Dictionary): PerformRead;
  close(): Promise<void>;
}

/** How long a stopped job may take to end. After that its worker is replaced. */
const STOP_MS = 100;

/** Runs tool calls in worker threads, each with a read-only connection of its own, one call at a time. */
export function createReadPool(options: ReadPoolOptions): ReadPool {
  let dictionary: Dictionary | undefined;
  const lookUp: LookUp = async (method, word) => (await dictionary?.[method](word)) ?? [];
  const workers: ReadWorker[] = [];
  const queue: ((worker: ReadWorker) => void)[] = [];
  let isClosed = false;
  const start = () => {
    while (workers.length < options.size && !isClosed) workers.push(new ReadWorker(options, lookUp));
  };

  /** Prefers the worker that served the grant last: it has the grant's caches. */
  const acquire = (grant: Grant | undefined): Promise<ReadWorker> | ReadWorker => {
    start();
    const free = workers.filter((worker) => !worker.isBusy);
    const worker = free.find((one) => one.lastGrant === grant) ?? free[0];
    if (worker === undefined) return new Promise((resolve) => queue.push(resolve));
    worker.isBusy = true;
    return worker;
  };
  const release = (worker: ReadWorker) => {
    const next = queue.shift();
    if (next !== undefined) return next(worker);
    worker.isBusy = false;
    clearTimeout(idle);
    if (options.idleMs !== undefined) idle = setTimeout(endIdle, options.idleMs).unref();
  };
  let idle: NodeJS.Timeout | undefined;
  const endIdle = () => {
    if (workers.some(({ isBusy }) => isBusy)) return;
    for (const worker of workers.splice(0)) void worker.end();
  };
  const replace = (worker: ReadWorker) => {
    if (isClosed) return;
    const fresh = new ReadWorker(options, lookUp);
    fresh.isBusy = true;
    workers.splice(workers.indexOf(worker), 1, fresh);
    release(fresh);
  };

  const runOnce = async (name: string, input: unknown, perform: PerformOptions) => {
    const worker = await acquire(perform.grant);
    try {
      return await worker.run(name, input, perform, options.deadlineMs);
    } finally {
      if (worker.isLost) replace(worker);
      else release(worker);
    }
  };

  return {
    size: options.size,
    start,
    usesWorker: (read, input) => findNameInWorkers(read, input) !== undefined,
    createPerform(performInThread, shared) {
      dictionary = shared;
      return async <Input, Body extends object>(
        read: Parameters<typeof performInThread<Input, Body>>[0],
        input: Input,
        perform: PerformOptions,
      ): Promise<Performed<Body>> => {
        const name = findNameInWorkers(read, input);
        if (name === undefined) return performInThread(read, input, perform);
        try {
          return (await runOnce(name, input, perform)) as Performed<Body>;
        } catch (error) {
          // A read changes nothing, so it can be repeated when its worker died.
          if (!(error instanceof WorkerDied)) throw error;
          return (await runOnce(name, input, perform)) as Performed<Body>;
        }
      };
    },
    async close() {
      isClosed = true;
      clearTimeout(idle);
      await Promise.all(workers.map((worker) => worker.end()));
    },
  };
}

/** Returns the name of a read in workers: a tool, page or CSV export that may be long. Undefined for other reads. */
function findNameInWorkers(read: NamedRead, input: unknown): string | undefined {
  if (!tools.some((tool) => tool === (read as object))) return read.inWorker;
  return isBounded(read.name, input) ? undefined : read.name;
}

/**
 * Returns whether a call reads at most one page of rows by an index, whatever is stored. Such a call takes less time
 * than sending it to a worker and back: docs/decisions/reads-in-workers.md.
 */
function isBounded(tool: string, input: unknown): boolean {
  if (tool === 'fetch') return true;
  return (
    tool === 'query_records' && UNBOUNDED_ARGUMENTS.every((name) => !(name in ((input ?? {}) as object)))
  );
}

/** Arguments that make a page read more than its rows. */
const UNBOUNDED_ARGUMENTS = ['filter', 'expand', 'changes_since'];

type LookUp = (method: keyof Dictionary, word: string) => Promise<string[]>;

class WorkerDied extends Error {}

type Outcome = Extract<FromWorker, { readonly job: number }>;

class ReadWorker {
  isBusy = false;
  /** Whether the thread has ended, or did not stop a job in time. */
  isLost = false;
  lastGrant: Grant | undefined;
  readonly #worker: Worker;
  readonly #stopped = new Int32Array(new SharedArrayBuffer(4));
  readonly #lookUp: LookUp;
  /** The numbers of grants that the worker knows. A changed grant is another object. */
  #grantNumbers = new WeakMap<Grant, number>();
  #grantCount = 0;
  #job = 0;
  #setReady: (() => void) | undefined;
  /** The time that a thread takes to start does not count as time of its first call. */
  readonly #ready = new Promise<void>((resolve) => {
    this.#setReady = resolve;
  });
  #settle: { resolve: (outcome: Outcome) => void; reject: (error: Error) => void } | undefined;

  constructor({ directory, cursorKey, origin }: ReadPoolOptions, lookUp: LookUp) {
    this.#lookUp = lookUp;
    const settings: WorkerSettings = { directory, cursorKey, origin, stopped: this.#stopped };
    this.#worker = startThread('read-worker', settings);
    this.#worker.unref();
    this.#worker.on('message', (message: FromWorker) => this.#receive(message));
    this.#worker.on('error', (error) => this.#lose(error));
    this.#worker.on('exit', () => this.#lose(new Error('the thread ended')));
  }

  async run(
    tool: string,
    input: unknown,
    { grant, requestId, now, signal }: PerformOptions,
    deadlineMs: number,
  ): Promise<Performed<object>> {
    if (signal?.aborted) throw cancelled();
    this.lastGrant = grant;
    const job = ++this.#job;
    const settled = new Promise<Outcome>((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    await Promise.race([this.#ready, settled]);
    this.#worker.postMessage({
      job,
      tool,
      input,
      requestId,
      now: now.getTime(),
      ...this.#numberGrant(grant),
    } satisfies Job);
    let stopReason: AppError | undefined;
    let lost: NodeJS.Timeout | undefined;
    const stop = (reason: AppError) => {
      stopReason ??= reason;
      Atomics.store(this.#stopped, 0, job);
      lost ??= setTimeout(() => this.#lose(new Error('the job did not stop')), STOP_MS);
    };
    const onAbort = () => stop(cancelled());
    signal?.addEventListener('abort', onAbort, { once: true });
    const deadline = setTimeout(() => stop(timedOut(deadlineMs)), deadlineMs);
    try {
      return toPerformed(await settled);
    } catch (error) {
      throw stopReason ?? error;
    } finally {
      clearTimeout(deadline);
      clearTimeout(lost);
      signal?.removeEventListener('abort', onAbort);
      this.#settle = undefined;
    }
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #numberGrant(grant: Grant | undefined): Pick<Job, 'grant' | 'grantNumber'> {
    if (grant === undefined) return { grant: undefined, grantNumber: undefined };
    const known = this.#grantNumbers.get(grant);
    if (known !== undefined) return { grant: undefined, grantNumber: known };
    // The worker clears its grants after the same number of them.
    if (this.#grantCount > 0 && this.#grantCount % MAX_GRANTS === 0) this.#grantNumbers = new WeakMap();
    this.#grantCount += 1;
    this.#grantNumbers.set(grant, this.#grantCount);
    return { grant, grantNumber: this.#grantCount };
  }

  #receive(message: FromWorker): void {
    if (message === 'ready') this.#setReady?.();
    else if ('lookup' in message) {
      const { lookup, method, word } = message;
      this.#lookUp(method, word).then(
        (words) => this.#worker.postMessage({ lookup, words }),
        (error: Error) => this.#lose(error),
      );
    } else if (message.job === this.#job) this.#settle?.resolve(message);
  }

  #lose(error: Error): void {
    this.isLost = true;
    void this.#worker.terminate();
    this.#settle?.reject(new WorkerDied(error.message, { cause: error }));
  }
}

function toPerformed(outcome: Outcome): Performed<object> {
  if ('error' in outcome) throw receiveError(outcome.error);
  const { text, tokens, disclosure } = outcome;
  let body: object | undefined;
  return {
    text,
    tokens,
    disclosure,
    get body() {
      body ??= JSON.parse(text) as object;
      return body;
    },
  };
}
