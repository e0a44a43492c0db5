/** All long work together holds the process for about this long at a time. */
const MAX_BLOCKED_MS = 8;

/** Shared by all reads and imports, because there is one event loop. */
let lastYield = 0;
let next: Promise<void> | undefined;

/**
 * Lets other events run when long work has held the process for long enough. Called between its steps. Returns no promise
 * if nothing is to be awaited, because it is called for every row.
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
