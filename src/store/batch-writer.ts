const MAX_BATCH_ENTRIES = 64;
const MAX_BATCH_WAIT_MS = 2;

/**
 * Writes entries that arrive in the same turns of the event loop together. A batch waits for the next turn as long as it
 * grows, within limits, so a single entry waits for nobody. An entry's promise settles with its batch.
 */
export function createBatchWriter<Entry>(
  write: (entries: readonly Entry[]) => Promise<unknown>,
): (entry: Entry) => Promise<void> {
  let batch: { entry: Entry; resolve: () => void; reject: (error: unknown) => void }[] = [];
  let startedAt = 0;

  const flush = async () => {
    const written = batch;
    batch = [];
    try {
      await write(written.map(({ entry }) => entry));
    } catch (error) {
      for (const { reject } of written) reject(error);
      return;
    }
    for (const { resolve } of written) resolve();
  };
  const flushWhenComplete = (size: number) => {
    const mayGrow = batch.length < MAX_BATCH_ENTRIES && performance.now() - startedAt < MAX_BATCH_WAIT_MS;
    if (batch.length > size && mayGrow) setImmediate(flushWhenComplete, batch.length);
    else void flush();
  };
  return (entry) =>
    new Promise((resolve, reject) => {
      batch.push({ entry, resolve, reject });
      if (batch.length > 1) return;
      startedAt = performance.now();
      setImmediate(flushWhenComplete, 0);
    });
}
