import { yieldToEventLoop } from '../limits/yield-to-event-loop.ts';
import type { CatalogStream } from '../schema-index/catalog.ts';
import type { Change, Outcome } from '../store/batches.ts';

type Put = Change & { op: 'put' };

const MAX_BATCH_RECORDS = 500;
/** Long records end a batch early, so that no transaction holds hundreds of megabytes. */
const MAX_BATCH_CHARACTERS = 8 * 2 ** 20;
const MAX_HELD_CHARACTERS = 16 * 2 ** 20;

export interface BatchTarget {
  /** Stores a batch. With `holdsChanges`, a put that would change a stored record is `held` instead. */
  write(stream: CatalogStream, changes: readonly Change[], holdsChanges: boolean): Promise<Outcome[]>;
  /** Whether changes of the stream wait until the export was read. */
  holdsChanges(stream: CatalogStream): boolean;
  count(stream: CatalogStream, outcome: Outcome): void;
  /** Hears of every batch once, after it was written and counted. */
  onBatch(stream: CatalogStream, changes: readonly Change[], outcomes: readonly Outcome[]): void;
}

/**
 * Collects puts by stream and stores them in batches. Changes of stored records are held until the end: an export may
 * hold one key several times with different content. The last one counts; if it is what is stored already, nothing
 * changes.
 */
export class ImportBatches {
  readonly #target: BatchTarget;
  readonly #waiting = new Map<CatalogStream, Put[]>();
  readonly #held = new Map<CatalogStream, Map<string, Put>>();
  #waitingCharacters = 0;
  #heldCharacters = 0;

  constructor(target: BatchTarget) {
    this.#target = target;
  }

  async add(stream: CatalogStream, put: Put): Promise<void> {
    const waiting = this.#waiting.get(stream) ?? [];
    if (waiting.push(put) === 1) this.#waiting.set(stream, waiting);
    this.#waitingCharacters += put.data.length;
    if (this.#waitingCharacters >= MAX_BATCH_CHARACTERS) await this.#flush();
    else if (waiting.length >= MAX_BATCH_RECORDS) await this.#flush((one) => one === stream);
  }

  /** Stores what waits for all streams but this. */
  flushOthers(stream: CatalogStream): Promise<void> {
    return this.#flush((one) => one !== stream);
  }

  /** Stores all that waits and all that was held. */
  async finish(): Promise<void> {
    await this.#flush();
    await this.#flushHeld();
  }

  async #flush(isMeant: (stream: CatalogStream) => boolean = () => true): Promise<void> {
    for (const [stream, puts] of [...this.#waiting].filter(([one]) => isMeant(one))) {
      this.#waiting.delete(stream);
      for (const { data } of puts) this.#waitingCharacters -= data.length;
      const outcomes = await this.#target.write(stream, puts, this.#target.holdsChanges(stream));
      for (const [index, put] of puts.entries()) this.#take(stream, put, outcomes[index] as Outcome);
      if (this.#heldCharacters > MAX_HELD_CHARACTERS) await this.#flushHeld();
      this.#target.onBatch(stream, puts, outcomes);
      // A server goes on answering between batches.
      await yieldToEventLoop();
    }
  }

  #take(stream: CatalogStream, put: Put, outcome: Outcome): void {
    const held = this.#held.get(stream) ?? new Map<string, Put>();
    const earlier = held.get(put.key);
    if (earlier !== undefined) {
      held.delete(put.key);
      this.#heldCharacters -= earlier.data.length;
      this.#target.count(stream, 'same');
    }
    if (outcome !== 'held') this.#target.count(stream, outcome);
    else {
      this.#held.set(stream, held.set(put.key, put));
      this.#heldCharacters += put.data.length;
    }
  }

  async #flushHeld(): Promise<void> {
    for (const [stream, held] of [...this.#held]) {
      this.#held.delete(stream);
      const changes = [...held.values()];
      for (let at = 0; at < changes.length; at += MAX_BATCH_RECORDS) {
        const outcomes = await this.#target.write(stream, changes.slice(at, at + MAX_BATCH_RECORDS), false);
        for (const outcome of outcomes) this.#target.count(stream, outcome);
        await yieldToEventLoop();
      }
    }
    this.#heldCharacters = 0;
  }
}
