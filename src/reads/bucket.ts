/**
 * An allowance that fills up evenly and may be overdrawn once: what something cost is known when it is done.
 * It owes at most what it holds, so that nobody waits longer than filling it takes.
 */
export class Bucket {
  readonly #capacity: number;
  readonly #perMs: number;
  #level: number;
  #filledAt: number;

  constructor(capacity: number, perMinute: number, now: number) {
    this.#capacity = capacity;
    this.#perMs = perMinute / 60_000;
    this.#level = capacity;
    this.#filledAt = now;
  }

  /** Milliseconds until there is so much in it. */
  waitFor(amount: number, now: number): number {
    this.#fill(now);
    return this.#level >= amount ? 0 : (amount - this.#level) / this.#perMs;
  }

  spend(amount: number, now: number): void {
    this.#fill(now);
    this.#level = Math.max(-this.#capacity, this.#level - amount);
  }

  #fill(now: number): void {
    // A clock that is turned back gives nothing and takes nothing away.
    const passed = Math.max(0, now - this.#filledAt);
    this.#level = Math.min(this.#capacity, this.#level + passed * this.#perMs);
    this.#filledAt = now;
  }
}
