/** The time that the files of one import may take beyond the ordinary. */
const IMPORT_MS = 600_000;
/** A run of a sync has six minutes in total, and reads two files at a time. */
export const SYNC_TEXT_MS = 240_000;
/** What a file may take without using the budget. */
const ORDINARY_MS = 2_000;
/** The part of the rest that one file may take. The first file has 30 seconds in either. */
const SHARE = 1 / 8;
const MIN_MS = 1_000;

/**
 * Limits the time that hostile files take together. The more time files have lost, the less the next file gets. When
 * nothing is left, no more texts are read.
 */
export class TextBudget {
  #leftMs: number;
  #unread = 0;

  constructor(totalMs = IMPORT_MS) {
    this.#leftMs = totalMs;
  }

  /** Describes the files that were not read because nothing was left. Undefined if all were read. */
  describeUnread(): string | undefined {
    if (this.#unread === 0) return undefined;
    const files = `${this.#unread} attached ${this.#unread === 1 ? 'file' : 'files'}`;
    return `The text of ${files} was not read, because other files took too long.`;
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
