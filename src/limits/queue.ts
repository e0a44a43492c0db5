import { AppError } from '../errors.ts';
import { TooManyRequests } from './too-many-requests.ts';

/** Waits for a client's turn. The returned function ends the turn. */
export type FairQueue = (client: string, signal?: AbortSignal) => Promise<() => void>;

interface ClientQueue {
  readonly waiting: (() => void)[];
  usedMs: number;
}

const MAX_CLIENTS = 1_000;

/**
 * Creates a queue that runs one call at a time: reads block the only thread, so more would gain nothing. Of the waiting
 * clients, the one that has used the least time goes first. A light client so waits for one call of a heavy client, not
 * for all of them. The event loop runs once between calls.
 */
export function createFairQueue(
  maxWaitingPerClient: number,
  clock: () => number = () => performance.now(),
): FairQueue {
  const clients = new Map<string, ClientQueue>();
  let running: ClientQueue | undefined;
  let waiting = 0;
  let isScheduled = false;
  /** The time used by the client that started last. A returning client starts here, so absence earns no credit. */
  let level = 0;

  const isIdle = (client: ClientQueue) => client !== running && client.waiting.length === 0;
  const find = (name: string): ClientQueue => {
    const client = clients.get(name) ?? { waiting: [], usedMs: level };
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
    running = client;
    level = client.usedMs;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      running = undefined;
      client.usedMs += clock() - started;
      scheduleNext();
    };
  };
  const scheduleNext = () => {
    if (waiting === 0 || isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      if (running === undefined) startNext();
    });
  };
  const startNext = () => {
    let next: ClientQueue | undefined;
    for (const client of clients.values()) {
      if (client.waiting.length === 0) continue;
      if (next === undefined || client.usedMs < next.usedMs) next = client;
    }
    next?.waiting[0]?.();
  };

  return (name, signal) => {
    if (signal?.aborted) return Promise.reject(cancelled());
    const client = find(name);
    if (waiting === 0 && running === undefined) return Promise.resolve(start(client));
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
      if (running === undefined) scheduleNext();
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
