import { DAY_MS, MINUTE_MS } from './durations.ts';
import { toLocal, UNCHANGED_DAYS } from './instant.ts';

/** The milliseconds that a zone's clock is ahead of UTC before `until`. */
export interface ZoneOffset {
  readonly until: number;
  readonly offset: number;
}

const STEP = UNCHANGED_DAYS * DAY_MS;
/** No changes are searched outside these years, so that one odd date does not cost a scan of centuries. */
const EARLIEST = Date.UTC(1880, 0);
const LATEST = Date.UTC(2120, 0);

/** Lists the offsets of a zone between two instants, in order. The last one has no end. */
export function zoneOffsets(first: number, last: number, timeZone: string): ZoneOffset[] {
  const [from, to] = [Math.max(first, EARLIEST), Math.min(last, LATEST)];
  const offsetAt = (instant: number) => toLocal(instant, timeZone) - instant;
  const found: ZoneOffset[] = [];
  let offset = offsetAt(Math.min(from, LATEST));
  for (let start = from; start < to; start += STEP) {
    const end = Math.min(start + STEP, to);
    const next = offsetAt(end);
    if (next === offset) continue;
    found.push({ until: findChange(start, end, offset, offsetAt), offset });
    offset = next;
  }
  return [...found, { until: Number.POSITIVE_INFINITY, offset }];
}

/** Finds the minute at which the offset changes. */
function findChange(from: number, to: number, before: number, offsetAt: (instant: number) => number): number {
  let [low, high] = [Math.floor(from / MINUTE_MS), Math.ceil(to / MINUTE_MS)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle * MINUTE_MS) === before) low = middle;
    else high = middle;
  }
  return high * MINUTE_MS;
}
