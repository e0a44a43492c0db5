import type { Log } from '../log.ts';
import { createId } from '../secrets/token.ts';

/** Logs an unexpected error of a sync. Returns its id in the log. */
export function logSyncError(log: Log, error: unknown, id = createId('sync')): string {
  log('sync_error', { id, error: error instanceof Error ? (error.stack ?? error.message) : 'not an error' });
  return id;
}
