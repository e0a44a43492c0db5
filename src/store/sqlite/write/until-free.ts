import { setTimeout as sleep } from 'node:timers/promises';

/** How long a write waits for another process, such as an import beside a running server. */
const PATIENCE_MS = 5_000;
const LONGEST_PAUSE_MS = 25;

/**
 * Tries until no other process is writing. The waiting is done here and not by SQLite, whose own would hold up
 * everybody who only reads.
 */
export async function untilFree<T>(attempt: () => T): Promise<T> {
  const started = performance.now();
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() - started > PATIENCE_MS) throw error;
    }
    await sleep(Math.random() * LONGEST_PAUSE_MS);
  }
}

function isBusy(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && code.startsWith('SQLITE_BUSY');
}
