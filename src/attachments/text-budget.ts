/** The time that the files of one import or sync may take beyond the ordinary. */
const TOTAL_MS = 600_000;
/** What a file may take without using the budget. */
const ORDINARY_MS = 2_000;
/** The part of the rest that one file may take. The first file has 30 seconds. */
const SHARE = 1 / 20;
const MIN_MS = 1_000;

/**
 * Limits the time that hostile files take together. The more time files have lost, the less the next file gets. When
 * nothing is left, no more texts are read.
 */
export class TextBudget {
  #leftMs: number;
  #unread = 0;

  constructor(totalMs = TOTAL_MS) {
    this.#leftMs = totalMs;
  }

  /** How many files were not read because nothing was left. */
  get unread(): number {
    return this.#unread;
  }

  /** Returns the time that the next file may take; undefined if it is not to be read. */
  takeLimit(): number | undefined {
    if (this.#leftMs > 0) return Math.max(MIN_MS, this.#leftMs * SHARE);
    this.#unread += 1;
    return undefined;
  }

  spend(ms: number, limitMs: number): void {
    // A file that has used its limit was stopped, however short the limit was.
    this.#leftMs -= ms >= limitMs ? ms : Math.max(0, ms - ORDINARY_MS);
  }
}
