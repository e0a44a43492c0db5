import { DAY_MS, HOUR_MS } from './durations.ts';
import { parseInstant, toLocal, toUtc } from './instant.ts';
import { bucketStart, type Interval, shiftBucket } from './time-buckets.ts';

/** A named period. `end` is exclusive. */
export interface Period {
  readonly start: number;
  readonly end: number;
  /** A moment, a calendar unit such as a day or a month, or a period that ends or begins now. */
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
/** A year, a quarter or a month, as answers name intervals. */
const NAMED = /^(\d{4})(?:-(?:Q([1-4])|(0[1-9]|1[0-2])))?$/;

/**
 * Parses the name of a period by the clock of a zone: `today`, `last_week`, `next_month`, `last_7_days`, `2026`,
 * `2026-Q2`, `2026-05`. The last 7 days begin at midnight; the next 7 end at midnight.
 */
export function parsePeriod(text: string, now: number, timeZone: string): Period | undefined {
  if (text === 'now') return { start: now, end: now + 1, kind: 'moment' };
  const days = NEAR_DAYS.get(text);
  if (days !== undefined) return calendarPeriod(now, 'day', days, timeZone);
  const [, side, unit] = NEAR.exec(text) ?? [];
  if (side !== undefined)
    return calendarPeriod(now, unit as Interval, STEPS[side as keyof typeof STEPS], timeZone);
  return parseNamed(text, timeZone) ?? parseRunning(text, now, timeZone);
}

/** Parses a date, a date-time, or the name of a period, which means its start. */
export function parseTime(text: string, now: number, timeZone: string): number | undefined {
  return parsePeriod(text, now, timeZone)?.start ?? parseInstant(text, timeZone);
}

/** Returns the calendar unit that is `steps` after the unit of an instant. */
function calendarPeriod(instant: number, interval: Interval, steps: number, timeZone: string): Period {
  const shift = (by: number) => shiftBucket(bucketStart(instant, interval, timeZone), interval, timeZone, by);
  return { start: shift(steps), end: shift(steps + 1), kind: 'calendar' };
}

function parseNamed(text: string, timeZone: string): Period | undefined {
  const [, year, quarter, month] = NAMED.exec(text) ?? [];
  if (year === undefined) return undefined;
  const first = quarter !== undefined ? Number(quarter) * 3 - 3 : month !== undefined ? Number(month) - 1 : 0;
  const interval = quarter !== undefined ? 'quarter' : month !== undefined ? 'month' : 'year';
  const start = toUtc(new Date(0).setUTCFullYear(Number(year), first, 1), timeZone);
  return calendarPeriod(start, interval, 0, timeZone);
}

function parseRunning(text: string, now: number, timeZone: string): Period | undefined {
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

/** Moves a date by months, to the last day of the month if the day does not exist there. */
function addMonths(date: Date, months: number): void {
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const days = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, days));
}
