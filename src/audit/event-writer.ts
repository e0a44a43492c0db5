import type { Log } from '../log.ts';
import type { Store } from '../store/sqlite/open-store.ts';
import { createEventLog, type WriteEvent } from './events.ts';

/**
 * Writes events after the acts they tell of. The two are in different files and cannot be stored as one, so the act goes
 * first: an event of what never happened would be a lie, one that is missing is in the log. Failing here must not
 * make what is done look undone: a revoked access is revoked, whatever becomes of the note.
 */
export function createEventWriter(store: Store, log: Log): WriteEvent {
  const write = createEventLog(store.audit);
  return (event, at) =>
    store.write.afterCommit(async () => {
      try {
        await write(event, at);
      } catch (error) {
        log('event_not_written', { ...event, error: error instanceof Error ? error.stack : String(error) });
      }
    });
}
