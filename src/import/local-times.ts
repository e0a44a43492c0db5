import type { KeyValue } from './make-key.ts';
import type { OnLocalTime } from './read/read-time.ts';

/** Importers read ahead by some records; older values are of records that are through. */
const MAX_REMEMBERED_VALUES = 20_000;

/**
 * Remembers values that depend on the zone for times without one. A key must not change when the owner corrects the
 * zone: the record would double. So it is made with the times of the zone of the connection's first import.
 */
export function createLocalTimes(importZone: string) {
  const others = new Map<string, (timeZone: string) => string | undefined>();
  let wereSeen = false;
  const onLocalTime: OnLocalTime = (result, inZone, from) => {
    if (from !== 'derived') wereSeen = true;
    // Set anew, so that the oldest goes first.
    others.delete(result);
    others.set(result, inZone);
    if (others.size > MAX_REMEMBERED_VALUES) others.delete(others.keys().next().value as string);
  };
  const inZone = (timeZone: string): KeyValue =>
    timeZone === importZone
      ? (value) => value
      : (value) => (typeof value === 'string' ? (others.get(value)?.(timeZone) ?? value) : value);
  return { onLocalTime, inZone, wereSeen: () => wereSeen };
}
