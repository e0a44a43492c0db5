import { toLocal } from './instant.ts';

/** How far a zone's clock is ahead of UTC, up to an instant that does not belong to it. */
export interface ZoneOffset {
  readonly until: number;
  readonly offset: number;
}

const MINUTE = 60_000;
/** No zone changes its clock twice within so many days. */
const STEP = 7 * 86_400_000;

/** The offsets that a zone has between two instants, in order; the last one has no end. */
export function zoneOffsets(first: number, last: number, timeZone: string): ZoneOffset[] {
  const offsetAt = (instant: number) => toLocal(instant, timeZone) - instant;
  const found: ZoneOffset[] = [];
  let offset = offsetAt(first);
  for (let from = first; from < last; from += STEP) {
    const to = Math.min(from + STEP, last);
    const next = offsetAt(to);
    if (next === offset) continue;
    found.push({ until: findChange(from, to, offset, offsetAt), offset });
    offset = next;
  }
  return [...found, { until: Infinity, offset }];
}

/** The minute at which the clock is changed. */
function findChange(from: number, to: number, before: number, offsetAt: (instant: number) => number): number {
  let [low, high] = [Math.floor(from / MINUTE), Math.ceil(to / MINUTE)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle * MINUTE) === before) low = middle;
    else high = middle;
  }
  return high * MINUTE;
}
