import { type AccessEvent, createEventLog } from '../../audit/events.ts';
import type { Store } from '../../store/store.ts';

/** What is done on the command line is written down like what is done on the pages. */
export function noteOnCommandLine(
  store: Store,
  event: Omit<AccessEvent, 'detail'>,
  now: Date,
): Promise<void> {
  return createEventLog(store.audit)({ ...event, detail: 'on the command line' }, now);
}
