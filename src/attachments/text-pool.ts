import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { startThread } from '../workers/start-thread.ts';
import type { FileText } from './file-text.ts';
import { TextBudget } from './text-budget.ts';
import { TEXT_LIMITS, type TextLimits } from './text-limits.ts';

export interface TextJob {
  readonly bytes: Uint8Array;
  readonly name: string | undefined;
  readonly mediaType: string | undefined;
}

type Result = Pick<FileText, 'status' | 'text'> & { readonly mediaType?: string };

/** Threads end after this time without a file. */
const IDLE_MS = 3_000;
/** Smaller than the default, so that the garbage of a file is collected sooner. */
const YOUNG_GENERATION_MB = 8;

/** Reads files in threads, so that a hostile file costs only its own text. A thread that fails is replaced. */
export class TextPool {
  readonly #limits: TextLimits;
  readonly #size: number;
  #threads: TextThread[] = [];
  #idle: NodeJS.Timeout | undefined;
  readonly #queue: ((thread: TextThread) => void)[] = [];

  constructor(limits: TextLimits = TEXT_LIMITS, size = Math.max(1, Math.min(2, availableParallelism() - 1))) {
    this.#limits = limits;
    this.#size = size;
  }

  async read(job: TextJob, budget = new TextBudget()): Promise<Result> {
    clearTimeout(this.#idle);
    const thread = await this.#acquire();
    try {
      const limit = budget.takeLimit();
      if (limit === undefined) return { status: 'too_slow' };
      return await thread.run(job, Math.min(limit, this.#limits.timeMs), budget);
    } finally {
      this.#release(thread);
    }
  }

  close(): void {
    for (const thread of this.#threads.splice(0)) thread.end();
  }

  #acquire(): TextThread | Promise<TextThread> {
    const free = this.#threads.find(({ isBusy }) => !isBusy);
    if (free === undefined && this.#threads.length >= this.#size)
      return new Promise((resolve) => this.#queue.push(resolve));
    const thread = free ?? new TextThread(this.#limits);
    if (free === undefined) this.#threads.push(thread);
    thread.isBusy = true;
    return thread;
  }

  #release(thread: TextThread): void {
    const next = this.#queue.shift();
    let usable = thread;
    if (thread.hasEnded) {
      this.#threads = this.#threads.filter((one) => one !== thread);
      if (next === undefined) return;
      usable = new TextThread(this.#limits);
      usable.isBusy = true;
      this.#threads.push(usable);
    }
    if (next !== undefined) {
      next(usable);
      return;
    }
    thread.isBusy = false;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      if (!this.#threads.some(({ isBusy }) => isBusy)) this.close();
    }, IDLE_MS).unref();
  }
}

class TextThread {
  isBusy = false;
  hasEnded = false;
  readonly #worker: Worker;
  readonly #ready: Promise<void>;
  #settle: ((result: Result) => void) | undefined;

  constructor(limits: TextLimits) {
    this.#worker = startThread(
      '../attachments/text-worker',
      { limits },
      { maxOldGenerationSizeMb: limits.heapMb, maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    );
    this.#worker.unref();
    let isReady: () => void;
    this.#ready = new Promise((resolve) => {
      isReady = resolve;
    });
    this.#worker.on('message', (message: FileText | 'ready') => {
      if (message === 'ready') isReady();
      else this.#settle?.(message);
    });
    this.#worker.on('error', ({ code }: NodeJS.ErrnoException) =>
      this.#fail(code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'too_large' : 'damaged'),
    );
    this.#worker.on('exit', () => this.#fail('damaged'));
  }

  async run(job: TextJob, limitMs: number, budget: TextBudget): Promise<Result> {
    // The process does not end while a file is read.
    this.#worker.ref();
    const settled = new Promise<Result>((resolve) => {
      this.#settle = resolve;
    });
    await Promise.race([this.#ready, settled]);
    if (this.hasEnded) return settled;
    const startedAt = performance.now();
    const deadline = setTimeout(() => this.#fail('too_slow'), limitMs);
    this.#worker.postMessage(job);
    try {
      return await settled;
    } finally {
      clearTimeout(deadline);
      budget.spend(performance.now() - startedAt, limitMs);
      this.#settle = undefined;
      this.#worker.unref();
    }
  }

  end(): void {
    this.hasEnded = true;
    void this.#worker.terminate();
  }

  #fail(status: Result['status']): void {
    const settle = this.#settle;
    this.end();
    settle?.({ status });
  }
}
