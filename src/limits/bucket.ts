import { MINUTE_MS } from '../time/durations.ts';

/**
 * A token bucket that may be overdrawn, because the cost of a call is known only afterwards. The debt is at most the
 * capacity, so that no wait is longer than a full refill.
 */
export class Bucket {
  readonly capacity: number;
  readonly perMs: number;
  #level: number;
  #filledAt: number;
  /** What was spent here and is not yet known to other processes. */
  #unsent = 0;

  constructor(capacity: number, perMinute: number, now: number) {
    this.capacity = capacity;
    this.perMs = perMinute / MINUTE_MS;
    this.#level = capacity;
    this.#filledAt = now;
  }

  get unsent(): number {
    return this.#unsent;
  }

  /** Returns the milliseconds until the bucket holds the amount. */
  waitFor(amount: number, now: number): number {
    this.#fill(now);
    return this.#level >= amount ? 0 : (amount - this.#level) / this.perMs;
  }

  spend(amount: number, now: number): void {
    this.#fill(now);
    this.#level = Math.max(-this.capacity, this.#level - amount);
    this.#unsent += amount;
  }

  /** Sets the level to that of all processes, which have now been sent an amount of the unsent. */
  correct(level: number, sent: number, now: number): void {
    this.#unsent -= sent;
    this.#level = Math.max(-this.capacity, level - this.#unsent);
    this.#filledAt = now;
  }

  #fill(now: number): void {
    // A clock that is turned back changes nothing.
    const passed = Math.max(0, now - this.#filledAt);
    this.#level = Math.min(this.capacity, this.#level + passed * this.perMs);
    this.#filledAt = now;
  }
}
