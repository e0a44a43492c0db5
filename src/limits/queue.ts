import { AppError } from '../errors.ts';
import { TooManyRequests } from './too-many-requests.ts';

export interface QueueRule {
  /** How many run at once in all. Reads block the one thread there is, so more than one would gain nothing. */
  readonly atOnce: number;
  /** How many of one lane may wait. */
  readonly maxWaiting: number;
}

/** Waits for a turn in a lane. The result ends the turn. */
export type FairQueue = (lane: string, signal?: AbortSignal) => Promise<() => void>;

interface Lane {
  readonly waiting: (() => void)[];
  running: boolean;
  /** Milliseconds used, counted from when others began to use theirs. */
  used: number;
}

const MAX_LANES = 1_000;

/**
 * A fair queue. One lane has one turn at a time, in the order of arrival. Of the waiting lanes, the one that has used the
 * least time goes first: a light caller waits for one call of a heavy caller, not for all of them. Between turns the event
 * loop goes round once.
 */
export function createFairQueue(
  { atOnce, maxWaiting }: QueueRule,
  clock: () => number = () => performance.now(),
): FairQueue {
  const lanes = new Map<string, Lane>();
  let running = 0;
  let waiting = 0;
  let isDue = false;
  /** What the lane that started last had used: whoever was away does not come back with a credit. */
  let level = 0;

  const find = (name: string): Lane => {
    const lane = lanes.get(name) ?? { waiting: [], running: false, used: level };
    lanes.delete(name);
    lanes.set(name, lane);
    if (lanes.size > MAX_LANES) forgetIdle();
    if (!lane.running && lane.waiting.length === 0) lane.used = Math.max(lane.used, level);
    return lane;
  };
  const forgetIdle = () => {
    for (const [name, lane] of lanes) {
      if (lanes.size <= MAX_LANES) return;
      if (!lane.running && lane.waiting.length === 0) lanes.delete(name);
    }
  };

  const start = (lane: Lane): (() => void) => {
    const started = clock();
    lane.running = true;
    running += 1;
    level = lane.used;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      lane.running = false;
      running -= 1;
      lane.used += clock() - started;
      scheduleNext();
    };
  };
  const scheduleNext = () => {
    if (waiting === 0 || isDue) return;
    isDue = true;
    setImmediate(() => {
      isDue = false;
      if (startNext()) scheduleNext();
    });
  };
  const startNext = (): boolean => {
    if (running >= atOnce) return false;
    let next: Lane | undefined;
    for (const lane of lanes.values()) {
      if (lane.running || lane.waiting.length === 0) continue;
      if (next === undefined || lane.used < next.used) next = lane;
    }
    next?.waiting[0]?.();
    return next !== undefined;
  };

  return (name, signal) => {
    if (signal?.aborted) return Promise.reject(hungUp());
    const lane = find(name);
    if (waiting === 0 && running < atOnce && !lane.running) return Promise.resolve(start(lane));
    if (lane.waiting.length >= maxWaiting)
      return Promise.reject(new TooManyRequests('Too many calls are waiting.', 1_000));
    return new Promise((resolve, reject) => {
      const leave = () => {
        lane.waiting.splice(lane.waiting.indexOf(go), 1);
        waiting -= 1;
        signal?.removeEventListener('abort', give);
      };
      const go = () => {
        leave();
        resolve(start(lane));
      };
      const give = () => {
        leave();
        reject(hungUp());
      };
      lane.waiting.push(go);
      waiting += 1;
      signal?.addEventListener('abort', give, { once: true });
      if (running < atOnce) scheduleNext();
    });
  };
}

function hungUp(): AppError {
  return new AppError('cancelled', 'The caller disconnected before the call started.');
}

/** A queue that lets one through at a time, in the order of arrival. */
export class Queue {
  #last: Promise<void> = Promise.resolve();

  /** Waits for all earlier ones. The result ends the turn and must be called. */
  async enter(): Promise<() => void> {
    const before = this.#last;
    let end = () => {};
    this.#last = new Promise((resolve) => {
      end = resolve;
    });
    await before;
    return end;
  }
}
