const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Returns the start of a time bucket such as 2026, 2026-Q4, 2026-11 or 2026-11-16, or undefined if it is none. */
export function parseBucket(name: unknown): number | undefined {
  if (typeof name !== 'string') return undefined;
  const [, year, quarter, month, day] = /^(\d{4})(?:-Q([1-4])|-(\d\d)(?:-(\d\d))?)?$/.exec(name) ?? [];
  if (year !== undefined) {
    const at = quarter === undefined ? Number(month ?? 1) - 1 : (Number(quarter) - 1) * 3;
    return utc(Number(year), at, Number(day ?? 1));
  }
  const isHour = /^\d{4}-\d\d-\d\dT\d\d:\d\d(Z|[+-]\d\d:\d\d)$/.test(name);
  return isHour ? Date.parse(name) : undefined;
}

/** Unlike Date.UTC, does not change years below 100. */
function utc(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month, day);
}

/** Returns the start of the next bucket. */
export function nextBucket(start: number, interval: string): number {
  const date = new Date(start);
  switch (interval) {
    case 'hour':
      return start + HOUR;
    case 'day':
      return start + DAY;
    case 'week':
      return start + 7 * DAY;
    default: {
      const months = { month: 1, quarter: 3, year: 12 }[interval] ?? 1;
      return date.setUTCMonth(date.getUTCMonth() + months);
    }
  }
}

/** Intervals that follow one another, unlike weekdays. */
export function isTimeAxis(interval: string | undefined): interval is string {
  return ['hour', 'day', 'week', 'month', 'quarter', 'year'].includes(interval ?? '');
}

/** Formats a time bucket for people. */
export function formatBucket(name: string, interval: string, locale: string | undefined): string {
  const start = parseBucket(name);
  if (start === undefined) return name;
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options }).format(start);
  if (interval === 'month') return format({ month: 'short', year: 'numeric' });
  if (interval === 'day') return format({ day: 'numeric', month: 'short', year: 'numeric' });
  if (interval === 'week') return `week of ${format({ day: 'numeric', month: 'short', year: 'numeric' })}`;
  if (interval === 'quarter') return `${name.slice(5)} ${name.slice(0, 4)}`;
  // The offset distinguishes the two hours of the night when clocks are set back.
  return interval === 'hour' ? name.replace('T', ' ').replace(/(?=[+-]\d\d:\d\d$|Z$)/, ' ') : name;
}
