import { DAY_MS } from './durations.ts';

/** `2026-01-31` for a day since 1970; nothing for a day that no calendar has. */
export function dayName(day: number): string | null {
  const date = new Date(day * DAY_MS);
  return Number.isNaN(date.getTime()) ? null : date.toISOString().slice(0, 10);
}
