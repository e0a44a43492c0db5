import { VersionCache } from '../limits/cache.ts';
import { yieldToEventLoop } from '../limits/yield-to-event-loop.ts';

const MAX_READS = 2_000;

/**
 * Caches reads that scan many records, until something is stored. Each grant has its own cache, so hidden records
 * neither fill nor evict it.
 */
export class ReadCache {
  readonly #readHorizon: () => Promise<number>;
  readonly #cache = new VersionCache<number, unknown>(MAX_READS);

  constructor(readHorizon: () => Promise<number>) {
    this.#readHorizon = readHorizon;
  }

  async read<T>(key: readonly unknown[], read: () => Promise<T>): Promise<T> {
    const compute = async () => {
      const found = await read();
      // Lets other requests run between two expensive reads.
      await yieldToEventLoop();
      return found;
    };
    return (await this.#cache.get(await this.#readHorizon(), JSON.stringify(key), compute)) as T;
  }
}
