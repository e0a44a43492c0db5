import { giveTurn } from '../limits/give-turn.ts';

const MOST_KEPT = 2_000;

/**
 * Reads that look at many records and are asked for again and again, kept until something is stored. What is kept is
 * the answer to one grant, so whoever may see it is who it was read for.
 */
export class KeptReads {
  readonly #readHorizon: () => Promise<number>;
  readonly #kept = new Map<string, unknown>();
  #keptAt = 0;

  constructor(readHorizon: () => Promise<number>) {
    this.#readHorizon = readHorizon;
  }

  async read<T>(key: readonly unknown[], read: () => Promise<T>): Promise<T> {
    const horizon = await this.#readHorizon();
    if (this.#keptAt !== horizon || this.#kept.size >= MOST_KEPT) this.#kept.clear();
    this.#keptAt = horizon;
    const name = JSON.stringify(key);
    if (this.#kept.has(name)) return this.#kept.get(name) as T;
    const found = await read();
    // Another read may have seen something stored meanwhile; then this one is of before.
    if (this.#keptAt === horizon) this.#kept.set(name, found);
    // Others may have their turn between two such reads.
    await giveTurn();
    return found;
  }
}
