/** Reads hold the process for about this long at a time, all of them together. */
const LONGEST_MS = 8;

/** There is one event loop, so there is one turn, however many reads are under way. */
let since = 0;
let next: Promise<void> | undefined;

/** Called between the steps of a long read: when reads have run for long enough, others come first. */
export async function takeTurns(): Promise<void> {
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
