import type { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Work that uses a storage, after which nothing is left of it. A storage that was used once is carried by every
 * promise of the process from then on, which costs each later call a quarter more until it is let go.
 */
export function whileUsed(storage: AsyncLocalStorage<unknown>): <T>(work: () => Promise<T>) => Promise<T> {
  let inside = 0;
  return async (work) => {
    inside += 1;
    try {
      return await work();
    } finally {
      inside -= 1;
      if (inside === 0) storage.disable();
    }
  };
}
