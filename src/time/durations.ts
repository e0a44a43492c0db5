export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const UNITS: Record<string, number> = { h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS };

/** Parses a duration such as 12h, 30d or 8w. Returns undefined for other texts. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  const unitMs = UNITS[unit];
  return unitMs === undefined ? undefined : Number(count) * unitMs;
}
