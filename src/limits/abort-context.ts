import { AsyncLocalStorage } from 'node:async_hooks';

const signals = new AsyncLocalStorage<AbortSignal>();

/** Runs work, and rejects with the reason of the signal as soon as it is aborted. */
export function runUntilAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    signals
      .run(signal, work)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Throws the reason if the work that the caller belongs to was aborted. */
export function throwIfAborted(): void {
  signals.getStore()?.throwIfAborted();
}

/** Returns the signal of the call that the caller belongs to, if any. It identifies the call. */
export function findCallSignal(): AbortSignal | undefined {
  return signals.getStore();
}
