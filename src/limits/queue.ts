import { AppError } from '../errors.ts';
import { TooManyRequests } from './too-many-requests.ts';

/** Waits for a client's turn. The returned function ends the turn. */
export type FairQueue = (client: string, signal?: AbortSignal) => Promise<() => void>;

interface ClientQueue {
  readonly waiting: (() => void)[];
  isRunning: boolean;
  usedMs: number;
}

const MAX_CLIENTS = 1_000;

/**
 * Creates a queue that runs at most `threads` calls at a time, and at most one per client. The waiting client that has
 * used the least time goes first: a light client waits for one call of a heavy client, not for all of them. The
 * event loop runs once between calls.
 */
export function createFairQueue(
  maxWaitingPerClient: number,
  threads = 1,
  clock: () => number = () => performance.now(),
): FairQueue {
  const clients = new Map<string, ClientQueue>();
  let running = 0;
  let waiting = 0;
  let isScheduled = false;
  /** The time used by the client that started last. A returning client starts here, so absence earns no credit. */
  let level = 0;

  const isIdle = (client: ClientQueue) => !client.isRunning && client.waiting.length === 0;
  const find = (name: string): ClientQueue => {
    const client = clients.get(name) ?? { waiting: [], isRunning: false, usedMs: level };
    clients.delete(name);
    clients.set(name, client);
    if (clients.size > MAX_CLIENTS) evictIdle();
    if (isIdle(client)) client.usedMs = Math.max(client.usedMs, level);
    return client;
  };
  const evictIdle = () => {
    for (const [name, client] of clients) {
      if (clients.size <= MAX_CLIENTS) return;
      if (isIdle(client)) clients.delete(name);
    }
  };

  const start = (client: ClientQueue): (() => void) => {
    const started = clock();
    client.isRunning = true;
    running += 1;
    level = client.usedMs;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      client.isRunning = false;
      running -= 1;
      client.usedMs += clock() - started;
      scheduleNext();
    };
  };
  const scheduleNext = () => {
    if (waiting === 0 || isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      if (startNext()) scheduleNext();
    });
  };
  const startNext = (): boolean => {
    if (running >= threads) return false;
    let next: ClientQueue | undefined;
    for (const client of clients.values()) {
      if (client.isRunning || client.waiting.length === 0) continue;
      if (next === undefined || client.usedMs < next.usedMs) next = client;
    }
    next?.waiting[0]?.();
    return next !== undefined;
  };

  return (name, signal) => {
    if (signal?.aborted) return Promise.reject(cancelled());
    const client = find(name);
    if (waiting === 0 && running < threads && !client.isRunning) return Promise.resolve(start(client));
    if (client.waiting.length >= maxWaitingPerClient)
      return Promise.reject(new TooManyRequests('Too many calls are waiting.', 1_000));
    return new Promise((resolve, reject) => {
      const leave = () => {
        client.waiting.splice(client.waiting.indexOf(run), 1);
        waiting -= 1;
        signal?.removeEventListener('abort', abort);
      };
      const run = () => {
        leave();
        resolve(start(client));
      };
      const abort = () => {
        leave();
        reject(cancelled());
      };
      client.waiting.push(run);
      waiting += 1;
      signal?.addEventListener('abort', abort, { once: true });
      if (running < threads) scheduleNext();
    });
  };
}

function cancelled(): AppError {
  return new AppError('cancelled', 'The caller disconnected before the call started.');
}

/** A mutex whose waiters enter one at a time, in the order of arrival. */
export class Queue {
  #last: Promise<void> = Promise.resolve();

  /** Waits for all earlier callers. The returned function must be called to let the next one in. */
  async enter(): Promise<() => void> {
    const previous = this.#last;
    let leave = () => {};
    this.#last = new Promise((resolve) => {
      leave = resolve;
    });
    await previous;
    return leave;
  }
}
