import { AppError } from '../errors.ts';
import { TooManyRequests } from './too-many-requests.ts';

export interface FairQueue {
  /** Waits for a client's turn. The returned function ends the turn. */
  (client: string, signal?: AbortSignal): Promise<() => void>;
  /** Returns the number of running and of waiting calls. */
  count(): { readonly running: number; readonly waiting: number };
}

interface WaitingCall {
  readonly arrivedAt: number;
  readonly run: () => void;
}

interface ClientQueue {
  readonly waiting: WaitingCall[];
  isRunning: boolean;
  /** The end of the rest, which is as long as the last call took. */
  restsUntil: number;
}

const MAX_CLIENTS = 1_000;

/**
 * Creates a queue that runs at most `threads` calls at a time, and at most one per client. Calls run in the order of
 * arrival, but a call counts as arrived only when its client has rested as long as its last call took. So a heavy client
 * gets at most half of a thread while others wait, and waits little longer than they do. The event loop runs once between calls.
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

  const find = (name: string): ClientQueue => {
    const client = clients.get(name) ?? { waiting: [], isRunning: false, restsUntil: 0 };
    clients.delete(name);
    clients.set(name, client);
    if (clients.size > MAX_CLIENTS) evictIdle();
    return client;
  };
  const evictIdle = () => {
    for (const [name, client] of clients) {
      if (clients.size <= MAX_CLIENTS) return;
      if (!client.isRunning && client.waiting.length === 0) clients.delete(name);
    }
  };

  const start = (client: ClientQueue): (() => void) => {
    const startedAt = clock();
    client.isRunning = true;
    running += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      client.isRunning = false;
      running -= 1;
      const endedAt = clock();
      client.restsUntil = endedAt + (endedAt - startedAt);
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
    let next: WaitingCall | undefined;
    let nextAt = Number.POSITIVE_INFINITY;
    for (const client of clients.values()) {
      const [call] = client.waiting;
      if (call === undefined || client.isRunning) continue;
      const countsFrom = Math.max(call.arrivedAt, client.restsUntil);
      if (countsFrom < nextAt) [next, nextAt] = [call, countsFrom];
    }
    next?.run();
    return next !== undefined;
  };

  const enter = (name: string, signal?: AbortSignal): Promise<() => void> => {
    if (signal?.aborted) return Promise.reject(cancelled());
    const client = find(name);
    if (waiting === 0 && running < threads && !client.isRunning) return Promise.resolve(start(client));
    if (client.waiting.length >= maxWaitingPerClient)
      return Promise.reject(new TooManyRequests('Too many calls are waiting.', 1_000));
    return new Promise((resolve, reject) => {
      const leave = () => {
        client.waiting.splice(client.waiting.indexOf(call), 1);
        waiting -= 1;
        signal?.removeEventListener('abort', abort);
      };
      const run = () => {
        leave();
        resolve(start(client));
      };
      const call: WaitingCall = { arrivedAt: clock(), run };
      const abort = () => {
        leave();
        reject(cancelled());
      };
      client.waiting.push(call);
      waiting += 1;
      signal?.addEventListener('abort', abort, { once: true });
      if (running < threads) scheduleNext();
    });
  };
  return Object.assign(enter, { count: () => ({ running, waiting }) });
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
