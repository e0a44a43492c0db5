import type { Worker } from 'node:worker_threads';

type Threads = typeof import('node:worker_threads');

/** The threads that were started, so that a test can count them or end one from outside. */
export const threads: Worker[] = [];

/** Returns the module of threads with a `Worker` that is added to `threads`. For `vi.mock`, in a test file that is isolated. */
export async function recordThreads(load: () => Promise<Threads>): Promise<Threads> {
  const original = await load();
  class RecordedWorker extends original.Worker {
    constructor(...options: ConstructorParameters<typeof Worker>) {
      super(...options);
      threads.push(this);
    }
  }
  return { ...original, Worker: RecordedWorker };
}
