/**
 * Times as people and sources write them. A date-time without an offset means the owner's clock; a date
 * alone is a calendar day and never moves with a time zone, so `date` fields are counted in UTC throughout.
 */
const DAY = 86_400_000;
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|z|[+-]\d\d:?\d\d)?$/;

/** An instant as JSON shows it: in UTC, with no more digits than it needs. */
export function formatInstant(instant: number): string {
  return new Date(instant).toISOString().replace('.000Z', 'Z');
}

/** Milliseconds since 1970, or undefined for what is not a time. */
export function parseInstant(text: string, timeZone: string): number | undefined {
  const date = parseDate(text);
  if (date !== undefined) return toUtc(date, timeZone);
  const match = DATE_TIME.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second = '0', fraction = '0', offset] = match;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return undefined;
  const days = dayNumber(Number(year), Number(month), Number(day));
  if (days === undefined) return undefined;
  const milliseconds = Math.floor(Number(`0.${fraction}`) * 1_000);
  const local =
    days +
    Number(hour) * 3_600_000 +
    Number(minute) * 60_000 +
    Math.min(59, Number(second)) * 1_000 +
    milliseconds;
  if (offset === undefined) return toUtc(local, timeZone);
  if (offset === 'Z' || offset === 'z') return local;
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(-2))];
  if (hours > 23 || minutes > 59) return undefined;
  return local - (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

/** The day as UTC midnight, for `YYYY-MM-DD` alone. */
export function parseDate(text: string): number | undefined {
  const match = DATE.exec(text);
  return match === null ? undefined : dayNumber(Number(match[1]), Number(match[2]), Number(match[3]));
}

function dayNumber(year: number, month: number, day: number): number | undefined {
  const value = new Date(0).setUTCFullYear(year, month - 1, day);
  const date = new Date(value);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? value : undefined;
}

/** The first instant at which a clock in the zone shows `local` (given as if it were UTC), or has passed it. */
export function toUtc(local: number, timeZone: string): number {
  if (timeZone === 'UTC') return local;
  // Clocks change by less than a day: one of the offsets around it is the right one.
  const early = local - offsetAt(local - DAY, timeZone);
  if (toLocal(early, timeZone) === local) return early;
  const late = local - offsetAt(local + DAY, timeZone);
  // In the hour that the clocks skip neither shows it; the old offset gives the instant they jump from.
  return toLocal(late, timeZone) === local ? late : early;
}

/** What a clock in the zone shows at the instant, as if it were UTC. */
export function toLocal(instant: number, timeZone: string): number {
  return timeZone === 'UTC' ? instant : instant + offsetAt(instant, timeZone);
}

const formats = new Map<string, Intl.DateTimeFormat>();

function offsetAt(instant: number, timeZone: string): number {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
      era: 'narrow',
    });
    formats.set(timeZone, format);
  }
  const part: Record<string, number> = {};
  let beforeChrist = false;
  for (const { type, value } of format.formatToParts(instant)) {
    if (type === 'era') beforeChrist = value.startsWith('B');
    else part[type] = Number(value);
  }
  const { year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  const local = new Date(0);
  local.setUTCFullYear(beforeChrist ? 1 - year : year, month - 1, day);
  local.setUTCHours(hour, minute, second);
  return local.getTime() - Math.floor(instant / 1_000) * 1_000;
}

/** `Z`, or an offset such as +02:00, for milliseconds ahead of UTC. */
export function formatOffset(offset: number): string {
  if (offset === 0) return 'Z';
  const minutes = Math.round(Math.abs(offset) / 60_000);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** Whether the platform knows the IANA zone. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
