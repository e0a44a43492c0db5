import { setTimeout as sleep } from 'node:timers/promises';

/** An app that sends call after call sends the next one within this time. */
const RECENT_MS = 100;
/** How many times as long as it has worked background work waits. */
const PAUSE_FACTOR = 8;
/** Limits the pause: longer work counts as this long. */
const MAX_WORK_MS = 300;
const CHECK_MS = 20;

/**
 * Makes background work pause while apps send calls. A lower priority is not enough on few processors: a call that arrives
 * waits for the rest of the time slice of the running thread.
 */
export class CallPause {
  #lastCallAt = Number.NEGATIVE_INFINITY;
  #workedSince = Number.NEGATIVE_INFINITY;

  readonly noteCall = (): void => {
    this.#lastCallAt = performance.now();
  };

  /** Waits between two parts of the work. Resolves at once if there was no call just now. */
  async wait(): Promise<void> {
    const began = performance.now();
    const pauseMs = PAUSE_FACTOR * Math.min(MAX_WORK_MS, began - this.#workedSince);
    while (performance.now() - began < pauseMs && performance.now() - this.#lastCallAt < RECENT_MS)
      await sleep(CHECK_MS);
    this.#workedSince = performance.now();
  }
}
