import { giveTurn } from '../limits/give-turn.ts';
import type { CatalogStream } from '../schema-index/catalog.ts';
import type { Change } from '../store/sqlite/apply-batch.ts';

const BATCH_RECORDS = 500;
/** Very long records end a batch early, so that no transaction holds hundreds of megabytes. */
const BATCH_CHARACTERS = 8 * 2 ** 20;

type Put = Change & { op: 'put' };

/** Gathers changes by stream and hands them on in batches. */
export class StreamBatches {
  readonly #write: (stream: CatalogStream, changes: readonly Change[]) => Promise<void>;
  readonly #waiting = new Map<CatalogStream, Put[]>();
  #characters = 0;

  constructor(write: (stream: CatalogStream, changes: readonly Change[]) => Promise<void>) {
    this.#write = write;
  }

  async add(stream: CatalogStream, change: Put): Promise<void> {
    let waiting = this.#waiting.get(stream);
    if (waiting === undefined) {
      waiting = [];
      this.#waiting.set(stream, waiting);
    }
    waiting.push(change);
    this.#characters += change.data.length;
    if (this.#characters >= BATCH_CHARACTERS) await this.flush();
    else if (waiting.length >= BATCH_RECORDS) await this.#flushOne(stream, waiting);
  }

  async flush(): Promise<void> {
    for (const [stream, waiting] of [...this.#waiting]) await this.#flushOne(stream, waiting);
  }

  /** Stores what waits for all streams but this. */
  async flushOthers(stream: CatalogStream): Promise<void> {
    for (const [other, waiting] of [...this.#waiting])
      if (other !== stream) await this.#flushOne(other, waiting);
  }

  async #flushOne(stream: CatalogStream, waiting: Put[]): Promise<void> {
    this.#waiting.delete(stream);
    for (const { data } of waiting) this.#characters -= data.length;
    await this.#write(stream, waiting);
    // Between batches the event loop runs, so that a server goes on answering.
    await giveTurn();
  }
}
