import { DAY_MS, MINUTE_MS } from './durations.ts';

/**
 * Parsing and formatting of times. A date-time without an offset is in the owner's zone. A date alone is a calendar day
 * in every zone, so `date` fields are always in UTC.
 */
const DATE = /^\d{4}-\d\d-\d\d$/;
const DATE_LENGTH = 10;
const DATE_TIME = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:[Zz]|[+-]\d\d:?\d\d)?$/;

/** Formats an instant for JSON: in UTC, without a fraction of zero. */
export function formatInstant(instant: number): string {
  return new Date(instant).toISOString().replace('.000Z', 'Z');
}

/** Returns milliseconds since 1970, or undefined if the text is not a time. */
export function parseInstant(text: string, timeZone: string): number | undefined {
  if (text.length === DATE_LENGTH) {
    const date = parseDate(text);
    return date === undefined ? undefined : toUtc(date, timeZone);
  }
  // Fast path for imports, which parse millions of times: positions are fixed once the pattern matches.
  if (!DATE_TIME.test(text)) return undefined;
  const [hour, minute] = [twoDigits(text, 11), twoDigits(text, 14)];
  const hasSecond = text[16] === ':';
  const second = hasSecond ? twoDigits(text, 17) : 0;
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const days = readDate(text);
  if (days === undefined) return undefined;
  let end = hasSecond ? 19 : 16;
  let milliseconds = 0;
  if (text[end] === '.' || text[end] === ',') {
    const begin = end + 1;
    for (end = begin; isDigit(text.charCodeAt(end)); ) end += 1;
    milliseconds = Math.floor(Number(`0.${text.slice(begin, end)}`) * 1_000);
  }
  const local = days + (hour * 60 + minute) * MINUTE_MS + Math.min(59, second) * 1_000 + milliseconds;
  const sign = text[end];
  if (sign === undefined) return toUtc(local, timeZone);
  if (sign === 'Z' || sign === 'z') return local;
  const [hours, minutes] = [twoDigits(text, end + 1), twoDigits(text, text.length - 2)];
  if (hours > 23 || minutes > 59) return undefined;
  return local - (sign === '-' ? -1 : 1) * (hours * 60 + minutes) * MINUTE_MS;
}

const isDigit = (code: number) => code >= 48 && code <= 57;
const twoDigits = (text: string, at: number) =>
  (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48;

/** Returns the UTC midnight of `YYYY-MM-DD`. */
export function parseDate(text: string): number | undefined {
  return DATE.test(text) ? readDate(text) : undefined;
}

/** Reads the date at the start of a text that matches the pattern. */
function readDate(text: string): number | undefined {
  const [year, month, day] = [
    twoDigits(text, 0) * 100 + twoDigits(text, 2),
    twoDigits(text, 5),
    twoDigits(text, 8),
  ];
  const date = new Date(0);
  const value = date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? value : undefined;
}

/** Returns the first instant at which the zone's clock shows `local`. A skipped time uses the offset before the change. `local` is written as if in UTC. */
export function toUtc(local: number, timeZone: string): number {
  if (timeZone === 'UTC') return local;
  // Clocks change by at most a day, so the offset of the day before or the day after is the right one.
  const early = local - offsetAt(local - DAY_MS, timeZone);
  if (toLocal(early, timeZone) === local) return early;
  const late = local - offsetAt(local + DAY_MS, timeZone);
  // In a skipped hour neither matches. The offset before the change turns 02:30 into 03:30.
  return toLocal(late, timeZone) === local ? late : early;
}

/** Returns what the zone's clock shows at the instant, written as if in UTC. */
export function toLocal(instant: number, timeZone: string): number {
  return timeZone === 'UTC' ? instant : instant + offsetAt(instant, timeZone);
}

/** No zone has changed its clock twice within this many days; some have done so within a week. */
export const UNCHANGED_DAYS = 4;
const BLOCK = UNCHANGED_DAYS * DAY_MS;

/**
 * Offsets per zone and block of days, because asking the platform is the slowest step of parsing a time. A block in which
 * the clocks change has no value.
 */
const offsetCache = new Map<string, Map<number, number | undefined>>();
const MAX_BLOCKS = 5_000;
const MAX_ZONES = 50;

/** Returns the milliseconds that the zone's clock is ahead of UTC. */
function offsetAt(instant: number, timeZone: string): number {
  const offsets = offsetCache.get(timeZone) ?? addZone(timeZone);
  const block = Math.floor(instant / BLOCK);
  let offset = offsets.get(block);
  if (offset === undefined && !offsets.has(block)) {
    const [first, last] = [
      findOffset(block * BLOCK, timeZone),
      findOffset((block + 1) * BLOCK - 1, timeZone),
    ];
    offset = first === last ? first : undefined;
    if (offsets.size >= MAX_BLOCKS) offsets.clear();
    offsets.set(block, offset);
  }
  return offset ?? findOffset(instant, timeZone);
}

function addZone(timeZone: string): Map<number, number | undefined> {
  const offsets = new Map<number, number | undefined>();
  if (offsetCache.size >= MAX_ZONES) offsetCache.clear();
  offsetCache.set(timeZone, offsets);
  return offsets;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function findOffset(instant: number, timeZone: string): number {
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

/** Formats milliseconds ahead of UTC as `Z` or `+02:00`. */
export function formatOffset(offset: number): string {
  if (offset === 0) return 'Z';
  const minutes = Math.round(Math.abs(offset) / MINUTE_MS);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** Returns whether the platform knows the IANA zone. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Formats an instant in a zone, with its offset: `2026-07-12T21:38:00+02:00`. */
export function showInstant(instant: number, timeZone: string, fraction = fractionOf(instant)): string {
  const whole = Math.floor(instant / 1_000) * 1_000;
  const offset = toLocal(whole, timeZone) - whole;
  // Local mean times of the past have seconds, which an offset cannot express.
  const shown = offset % MINUTE_MS === 0 ? offset : 0;
  const local = new Date(whole + shown).toISOString();
  return `${local.slice(0, -5)}${fraction}${formatOffset(shown)}`;
}

/** Converts a source's time to a zone and keeps its fraction of a second. Returns other text unchanged. */
export function showTime(text: string, writtenIn: string, timeZone: string): string {
  const instant = parseInstant(text, writtenIn);
  if (instant === undefined) return text;
  const fraction = /[.,](\d+)/.exec(text)?.[1] ?? '';
  return showInstant(instant, timeZone, /[1-9]/.test(fraction) ? `.${fraction}` : '');
}

function fractionOf(instant: number): string {
  const milliseconds = ((instant % 1_000) + 1_000) % 1_000;
  return milliseconds === 0 ? '' : `.${String(milliseconds).padStart(3, '0')}`;
}
