import { sweepAllKeptFiles } from '../../import/kept-files/sweep-kept-files.ts';
import { finishErasing } from '../../import/remove-connection.ts';
import type { Log } from '../../log.ts';
import type { SharedState } from '../../store/shared-state.ts';
import type { Store } from '../../store/store.ts';

const INTERVAL_MS = 10_000;

/**
 * Finishes interrupted removals: at the start, and, where several processes share the store, regularly, because one of
 * them may have ended. It then also removes expired shared state. Only one process does this at a time.
 */
export function startSharedWork(store: Store, log: Log): { stop(): Promise<void> } {
  const { shared } = store;
  const work = () => (shared === undefined ? finishRemovals(store, log) : runShared(store, shared, log));
  let running: Promise<unknown> = work();
  if (shared === undefined) return { stop: async () => void (await running) };
  let isRunning = false;
  const timer = setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    running = work().finally(() => {
      isRunning = false;
    });
  }, INTERVAL_MS).unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

async function runShared(store: Store, shared: SharedState, log: Log): Promise<void> {
  const { leases } = shared;
  try {
    if (!(await store.isUpToDate()))
      log('warning', {
        message: 'The database was changed by a newer version of pdpp. Update this process.',
      });
    // A process that removes records holds the lease of imports.
    if ((await store.write.catalog.listRemovals()).length > 0)
      await leases.tryRun('imports', () => finishRemovals(store, log));
    await leases.tryRun('prune', () => shared.prune(new Date()));
  } catch (error) {
    log('warning', { message: 'Maintenance failed. It will run again.', cause: String(error) });
  }
}

/** An error, such as a full disk, does not stop the server. */
async function finishRemovals(store: Store, log: Log): Promise<void> {
  try {
    const records = await finishErasing(store, new Date());
    await sweepAllKeptFiles(store);
    if (records > 0) log('removal finished', { records });
  } catch (error) {
    log('removal failed', { message: error instanceof Error ? error.message : String(error) });
  }
}
