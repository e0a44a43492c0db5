import type { KeyValue } from './make-key.ts';
import type { OnLocalTime } from './read/read-time.ts';

/** Importers read ahead by some records; older values are of records that are through. */
const MAX_REMEMBERED_VALUES = 20_000;

/** Values of an import that depend on the zone for times without one. */
export interface LocalTimes {
  readonly onLocalTime: OnLocalTime;
  /** What a value would be in another zone. A value that does not depend on the zone stays. */
  inZone(timeZone: string): KeyValue;
  /** Whether any time had no zone. */
  readonly wereSeen: () => boolean;
}

/**
 * A key must not change when the owner corrects the zone: the record would double. So a record's key is made with the
 * times that it would have in the zone of the connection's first import.
 */
export function createLocalTimes(importZone: string): LocalTimes {
  const others = new Map<string, (timeZone: string) => string | undefined>();
  let wereSeen = false;
  return {
    onLocalTime(result, inZone, from) {
      if (from !== 'derived') wereSeen = true;
      // Set anew, so that the oldest goes first.
      others.delete(result);
      others.set(result, inZone);
      if (others.size > MAX_REMEMBERED_VALUES) others.delete(others.keys().next().value as string);
    },
    inZone: (timeZone) =>
      timeZone === importZone
        ? (value) => value
        : (value) => (typeof value === 'string' ? (others.get(value)?.(timeZone) ?? value) : value),
    wereSeen: () => wereSeen,
  };
}
