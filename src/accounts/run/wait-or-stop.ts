/** Returns a signal that is aborted this long after another one. */
export function delayAbort(signal: AbortSignal, ms: number): AbortSignal {
  const controller = new AbortController();
  const start = () => setTimeout(() => controller.abort(), ms).unref();
  if (signal.aborted) start();
  else signal.addEventListener('abort', start, { once: true });
  return controller.signal;
}

/**
 * Waits for work until the signal is aborted. A `Promise.race` with one promise for all items would retain each item
 * until the end of the run.
 */
export function waitOrStop<T>(work: Promise<T>, signal: AbortSignal): Promise<T | 'stopped'> {
  if (signal.aborted) return Promise.resolve('stopped');
  return new Promise((resolve, reject) => {
    const stop = () => resolve('stopped');
    const forget = () => signal.removeEventListener('abort', stop);
    signal.addEventListener('abort', stop, { once: true });
    work.then(
      (result) => {
        forget();
        resolve(result);
      },
      (error: unknown) => {
        forget();
        reject(error);
      },
    );
  });
}
