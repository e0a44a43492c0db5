import { yieldToEventLoop } from '../limits/yield-to-event-loop.ts';
import type { CatalogStream } from '../schema-index/catalog.ts';
import type { Change, Outcome } from '../store/batches.ts';

type Put = Change & { op: 'put' };

const MAX_BATCH_RECORDS = 500;
/** Limits the memory of one transaction when records are long. */
const MAX_BATCH_CHARACTERS = 8 * 2 ** 20;
const MAX_HELD_CHARACTERS = 16 * 2 ** 20;

interface BatchTarget {
  /** Stores a batch. With `holdsChanges`, a put that would change a stored record is `held` instead. */
  write(stream: CatalogStream, changes: readonly Change[], holdsChanges: boolean): Promise<Outcome[]>;
  /** Whether changes of the stream wait until the whole export is read. */
  holdsChanges(stream: CatalogStream): boolean;
  count(stream: CatalogStream, outcome: Outcome): void;
  /** Called once per batch, after it was written and counted. */
  onBatch(stream: CatalogStream, changes: readonly Change[], outcomes: readonly Outcome[]): void;
}

/**
 * Collects puts by stream and stores them in batches. Changes of stored records are held until the end, because an
 * export can contain one key several times. The last version wins; if it equals the stored one, nothing changes.
 */
export class ImportBatches {
  readonly #target: BatchTarget;
  readonly #pending = new Map<CatalogStream, Put[]>();
  readonly #held = new Map<CatalogStream, Map<string, Put>>();
  #pendingCharacters = 0;
  #heldCharacters = 0;

  constructor(target: BatchTarget) {
    this.#target = target;
  }

  async add(stream: CatalogStream, put: Put): Promise<void> {
    const pending = this.#pending.get(stream) ?? [];
    if (pending.push(put) === 1) this.#pending.set(stream, pending);
    this.#pendingCharacters += put.data.length;
    if (this.#pendingCharacters >= MAX_BATCH_CHARACTERS) await this.#flush();
    else if (pending.length >= MAX_BATCH_RECORDS) await this.#flush((one) => one === stream);
  }

  /** Stores the pending records of all other streams. */
  flushOthers(stream: CatalogStream): Promise<void> {
    return this.#flush((one) => one !== stream);
  }

  /** Stores all pending and held records. */
  async finish(): Promise<void> {
    await this.#flush();
    await this.#flushHeld();
  }

  async #flush(isIncluded: (stream: CatalogStream) => boolean = () => true): Promise<void> {
    for (const [stream, puts] of [...this.#pending].filter(([one]) => isIncluded(one))) {
      this.#pending.delete(stream);
      for (const { data } of puts) this.#pendingCharacters -= data.length;
      const outcomes = await this.#target.write(stream, puts, this.#target.holdsChanges(stream));
      for (const [index, put] of puts.entries()) this.#countOrHold(stream, put, outcomes[index] as Outcome);
      if (this.#heldCharacters > MAX_HELD_CHARACTERS) await this.#flushHeld();
      this.#target.onBatch(stream, puts, outcomes);
      await yieldToEventLoop();
    }
  }

  #countOrHold(stream: CatalogStream, put: Put, outcome: Outcome): void {
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
