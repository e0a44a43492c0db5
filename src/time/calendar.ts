import { DAY_MS } from './durations.ts';

const formatter = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** Formats a UTC midnight for people: `16 Nov 2027`. */
export function formatDay(midnight: number): string {
  return formatter.format(midnight);
}

/** Formats days since 1970 as `2026-01-31`, or returns null for a day that `Date` cannot hold. */
export function dayName(day: number): string | null {
  const date = new Date(day * DAY_MS);
  return Number.isNaN(date.getTime()) ? null : date.toISOString().slice(0, 10);
}

/** Returns the month that is `steps` after a month such as `2026-01`. */
export function shiftMonth(month: string, steps: number): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + steps);
  return date.toISOString().slice(0, -'-01T00:00:00.000Z'.length);
}
