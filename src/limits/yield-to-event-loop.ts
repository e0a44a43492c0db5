/** The maximum time between two yields, for all long work of the process together. */
const MAX_BLOCKED_MS = 8;

/** Shared by all reads and imports, because there is one event loop. */
let lastYield = 0;
let next: Promise<void> | undefined;

/**
 * Lets other events run if the process has worked without a pause for too long. Long work calls it between its steps.
 * Returns undefined if there is nothing to await, because it is called for every row.
 */
export function yieldToEventLoop(): Promise<void> | undefined {
  if (performance.now() - lastYield < MAX_BLOCKED_MS) return undefined;
  next ??= new Promise((resolve) => {
    setImmediate(() => {
      lastYield = performance.now();
      next = undefined;
      resolve();
    });
  });
  return next;
}
