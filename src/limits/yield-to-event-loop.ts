/** Long work holds the process for about this long at a time, all of it together. */
const LONGEST_MS = 8;

/** There is one event loop, so there is one turn, however many reads and imports are under way. */
let since = 0;
let next: Promise<void> | undefined;

/** Called between the steps of long work: when such work has run for long enough, others come first. */
export async function yieldToEventLoop(): Promise<void> {
  if (performance.now() - since < LONGEST_MS) return;
  next ??= new Promise((resolve) => {
    setImmediate(() => {
      since = performance.now();
      next = undefined;
      resolve();
    });
  });
  await next;
}
