import { DAY_MS, HOUR_MS } from './durations.ts';
import { formatOffset, toLocal, toUtc } from './instant.ts';

export const intervals = ['hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
export type Interval = (typeof intervals)[number];

/** Returns the start of the bucket that holds an instant, by the clock of the zone. */
export function bucketStart(instant: number, interval: Interval, timeZone: string): number {
  const local = toLocal(instant, timeZone);
  // Subtracted from the instant itself, because an hour of the clock can occur twice.
  if (interval === 'hour') return instant - (local - Math.floor(local / HOUR_MS) * HOUR_MS);
  return toUtc(floorLocal(local, interval), timeZone);
}

/** Returns the start of the bucket that is `steps` later. */
export function shiftBucket(start: number, interval: Interval, timeZone: string, steps: number): number {
  // Hours have a fixed length, also when the clocks change; days are calendar days.
  if (interval === 'hour') return start + steps * HOUR_MS;
  // From the calendar's midnight, which the clock may skip.
  const date = new Date(floorLocal(toLocal(start, timeZone), interval));
  if (interval === 'day') date.setUTCDate(date.getUTCDate() + steps);
  if (interval === 'week') date.setUTCDate(date.getUTCDate() + 7 * steps);
  if (interval === 'month') date.setUTCMonth(date.getUTCMonth() + steps);
  if (interval === 'quarter') date.setUTCMonth(date.getUTCMonth() + 3 * steps);
  if (interval === 'year') date.setUTCFullYear(date.getUTCFullYear() + steps);
  return toUtc(date.getTime(), timeZone);
}

/** Returns the edges of at most `max` buckets from the one of `first` to the one of `last`, oldest first. The latest buckets win. */
export function lastEdges(
  first: number,
  last: number,
  interval: Interval,
  timeZone: string,
  max: number,
): number[] {
  const edges = [shiftBucket(bucketStart(last, interval, timeZone), interval, timeZone, 1)];
  while (edges.length <= max && (edges[0] as number) > first) {
    edges.unshift(shiftBucket(edges[0] as number, interval, timeZone, -1));
  }
  return edges;
}

/** Returns the name of a bucket: 2026, 2026-Q1, 2026-01, 2026-01-31, or the hour with its UTC offset. */
export function bucketName(start: number, interval: Interval, timeZone: string): string {
  const local = toLocal(start, timeZone);
  const text = new Date(local).toISOString();
  switch (interval) {
    case 'year':
      return text.slice(0, 4);
    case 'quarter':
      return `${text.slice(0, 4)}-Q${Math.floor(new Date(local).getUTCMonth() / 3) + 1}`;
    case 'month':
      return text.slice(0, 7);
    case 'hour':
      return `${text.slice(0, 16)}${formatOffset(local - start)}`;
    default:
      return text.slice(0, 10);
  }
}

function floorLocal(local: number, interval: Interval): number {
  const day = Math.floor(local / DAY_MS) * DAY_MS;
  if (interval === 'day') return day;
  const date = new Date(day);
  // Weeks begin on Monday (ISO 8601).
  if (interval === 'week') return day - ((date.getUTCDay() + 6) % 7) * DAY_MS;
  const month =
    interval === 'year'
      ? 0
      : interval === 'quarter'
        ? date.getUTCMonth() - (date.getUTCMonth() % 3)
        : date.getUTCMonth();
  return new Date(0).setUTCFullYear(date.getUTCFullYear(), month, 1);
}

/** Returns the periods between edges in the stored text form, which sorts by time. */
export function toPeriods(edges: readonly number[]): [from: string, to: string][] {
  const texts = edges.map((edge) => new Date(edge).toISOString());
  return texts.slice(0, -1).map((from, i) => [from, texts[i + 1] as string]);
}
