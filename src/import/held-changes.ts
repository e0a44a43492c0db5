import { giveTurn } from '../limits/give-turn.ts';
import type { CatalogStream } from '../schema-index/catalog.ts';
import type { Change, Outcome } from '../store/sqlite/apply-batch.ts';

type Put = Change & { op: 'put' };
type Count = (stream: CatalogStream, outcome: Outcome) => void;

const BATCH_RECORDS = 500;
/** Characters of records that wait to be stored. */
const MAX_HELD_CHARACTERS = 16 * 2 ** 20;

/**
 * Keeps changes of stored records until the whole export has been read. An export may hold one key several times with
 * different content. The last one counts; if it is what is stored already, nothing changes.
 */
export class HeldChanges {
  readonly #store: (stream: CatalogStream, changes: readonly Change[]) => Promise<Outcome[]>;
  readonly #count: Count;
  readonly #held = new Map<CatalogStream, Map<string, Put>>();
  #characters = 0;

  constructor(
    store: (stream: CatalogStream, changes: readonly Change[]) => Promise<Outcome[]>,
    count: Count,
  ) {
    this.#store = store;
    this.#count = count;
  }

  /** Counts what became of a batch, and keeps what was held. */
  async take(stream: CatalogStream, changes: readonly Change[], outcomes: readonly Outcome[]): Promise<void> {
    for (const [index, change] of changes.entries()) {
      const outcome = outcomes[index] as Outcome;
      if (this.#drop(stream, change.key)) this.#count(stream, 'same');
      if (outcome === 'held') this.#hold(stream, change as Put);
      else this.#count(stream, outcome);
    }
    if (this.#characters > MAX_HELD_CHARACTERS) await this.flush();
  }

  /** Stores all that was held. */
  async flush(): Promise<void> {
    for (const [stream, held] of [...this.#held]) {
      this.#held.delete(stream);
      const changes = [...held.values()];
      for (let at = 0; at < changes.length; at += BATCH_RECORDS) {
        const outcomes = await this.#store(stream, changes.slice(at, at + BATCH_RECORDS));
        for (const outcome of outcomes) this.#count(stream, outcome);
        await giveTurn();
      }
    }
    this.#characters = 0;
  }

  #hold(stream: CatalogStream, put: Put): void {
    const held = this.#held.get(stream) ?? new Map<string, Put>();
    this.#held.set(stream, held.set(put.key, put));
    this.#characters += put.data.length;
  }

  #drop(stream: CatalogStream, key: string): boolean {
    const put = this.#held.get(stream)?.get(key);
    if (put === undefined) return false;
    this.#held.get(stream)?.delete(key);
    this.#characters -= put.data.length;
    return true;
  }
}
