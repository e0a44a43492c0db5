import { DAY_MS, HOUR_MS } from './durations.ts';
import { parseInstant, toLocal, toUtc } from './instant.ts';
import { bucketStart, type Interval, shiftBucket } from './time-buckets.ts';

/** A stretch of time that has a name. Its end does not belong to it. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
  /** A moment, a piece of the calendar such as a day or a month, or what runs up to now or from now on. */
  readonly kind: 'moment' | 'calendar' | 'running';
}

const NEAR_DAYS = new Map([
  ['yesterday', -1],
  ['today', 0],
  ['tomorrow', 1],
]);
const NEAR = /^(last|this|next)_(week|month|quarter|year)$/;
const STEPS = { last: -1, this: 0, next: 1 };
const RUNNING = /^(last|next)_(\d{1,4})_(hour|day|week|month|year)s?$/;
/** As intervals are named in answers: a year, a quarter, a month. */
const NAMED = /^(\d{4})(?:-(?:Q([1-4])|(0[1-9]|1[0-2])))?$/;

/**
 * The stretch that a name means by the clock of a zone: `today`, `last_week`, `next_month`, `last_7_days`, `2026`,
 * `2026-Q2`, `2026-05`. Days of the last 7 begin at midnight; those of the next 7 end there.
 */
export function parseStretch(text: string, now: number, timeZone: string): Stretch | undefined {
  if (text === 'now') return { start: now, end: now + 1, kind: 'moment' };
  const days = NEAR_DAYS.get(text);
  if (days !== undefined) return pieceOf(now, 'day', days, timeZone);
  const [, side, unit] = NEAR.exec(text) ?? [];
  if (side !== undefined) return pieceOf(now, unit as Interval, STEPS[side as keyof typeof STEPS], timeZone);
  return parseNamed(text, timeZone) ?? parseRunning(text, now, timeZone);
}

/** A time as people write it, of a stretch its beginning: `last_7_days`, `2026-05`, a date, or a date-time. */
export function parseTime(text: string, now: number, timeZone: string): number | undefined {
  return parseStretch(text, now, timeZone)?.start ?? parseInstant(text, timeZone);
}

/** The piece of the calendar that is so many steps from the one an instant is in. */
function pieceOf(instant: number, interval: Interval, steps: number, timeZone: string): Stretch {
  const shift = (by: number) => shiftBucket(bucketStart(instant, interval, timeZone), interval, timeZone, by);
  return { start: shift(steps), end: shift(steps + 1), kind: 'calendar' };
}

function parseNamed(text: string, timeZone: string): Stretch | undefined {
  const [, year, quarter, month] = NAMED.exec(text) ?? [];
  if (year === undefined) return undefined;
  const first = quarter !== undefined ? Number(quarter) * 3 - 3 : month !== undefined ? Number(month) - 1 : 0;
  const interval = quarter !== undefined ? 'quarter' : month !== undefined ? 'month' : 'year';
  return pieceOf(toUtc(new Date(0).setUTCFullYear(Number(year), first, 1), timeZone), interval, 0, timeZone);
}

function parseRunning(text: string, now: number, timeZone: string): Stretch | undefined {
  const [, side, count, unit] = RUNNING.exec(text) ?? [];
  if (side === undefined) return undefined;
  const amount = side === 'last' ? -Number(count) : Number(count);
  const date = new Date(Math.floor(toLocal(now, timeZone) / DAY_MS) * DAY_MS);
  if (unit === 'day') date.setUTCDate(date.getUTCDate() + amount);
  if (unit === 'week') date.setUTCDate(date.getUTCDate() + 7 * amount);
  if (unit === 'month') addMonths(date, amount);
  if (unit === 'year') addMonths(date, 12 * amount);
  if (side === 'last') {
    const start = unit === 'hour' ? now + amount * HOUR_MS : toUtc(date.getTime(), timeZone);
    return { start, end: now + 1, kind: 'running' };
  }
  const end = unit === 'hour' ? now + amount * HOUR_MS : toUtc(date.getTime() + DAY_MS, timeZone);
  return { start: now, end, kind: 'running' };
}

/** The same day of another month, or its last day where it has no such day. */
function addMonths(date: Date, months: number): void {
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const days = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, days));
}
