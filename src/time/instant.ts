import { DAY_MS, MINUTE_MS } from './durations.ts';

/**
 * Times as people and sources write them. A date-time without an offset means the owner's clock; a date
 * alone is a calendar day and never moves with a time zone, so `date` fields are counted in UTC throughout.
 */
const DATE = /^\d{4}-\d\d-\d\d$/;
const DATE_LENGTH = 10;
const DATE_TIME = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:[Zz]|[+-]\d\d:?\d\d)?$/;

/** An instant as JSON shows it: in UTC, with no more digits than it needs. */
export function formatInstant(instant: number): string {
  return new Date(instant).toISOString().replace('.000Z', 'Z');
}

/** Milliseconds since 1970, or undefined for what is not a time. */
export function parseInstant(text: string, timeZone: string): number | undefined {
  if (text.length === DATE_LENGTH) {
    const date = parseDate(text);
    return date === undefined ? undefined : toUtc(date, timeZone);
  }
  // Imports read millions of these: what stands where is known once the shape fits, and digits need no texts of their own.
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

/** The day as UTC midnight, for `YYYY-MM-DD` alone. */
export function parseDate(text: string): number | undefined {
  return DATE.test(text) ? readDate(text) : undefined;
}

/** The day at the beginning of a text that has the shape of one. */
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

/** The first instant at which a clock in the zone shows `local` (given as if it were UTC), or has passed it. */
export function toUtc(local: number, timeZone: string): number {
  if (timeZone === 'UTC') return local;
  // Clocks change by less than a day: one of the offsets around it is the right one.
  const early = local - offsetAt(local - DAY_MS, timeZone);
  if (toLocal(early, timeZone) === local) return early;
  const late = local - offsetAt(local + DAY_MS, timeZone);
  // In the hour that the clocks skip neither shows it; the old offset gives the instant they jump from.
  return toLocal(late, timeZone) === local ? late : early;
}

/** What a clock in the zone shows at the instant, as if it were UTC. */
export function toLocal(instant: number, timeZone: string): number {
  return timeZone === 'UTC' ? instant : instant + offsetAt(instant, timeZone);
}

/** No zone changes its clock twice within so many days; some did within a week. */
export const UNCHANGED_DAYS = 4;
const BLOCK = UNCHANGED_DAYS * DAY_MS;

/**
 * Per zone, offsets of some days each: asking the platform costs more than all else about a time, and both files and answers
 * have many. No value is kept of days in which the clocks are changed.
 */
const kept = new Map<string, Map<number, number | undefined>>();
const MAX_BLOCKS = 5_000;
const MAX_ZONES = 50;

/** Milliseconds that clocks in the zone are ahead of UTC. */
function offsetAt(instant: number, timeZone: string): number {
  const offsets = kept.get(timeZone) ?? keepZone(timeZone);
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

function keepZone(timeZone: string): Map<number, number | undefined> {
  const offsets = new Map<number, number | undefined>();
  if (kept.size >= MAX_ZONES) kept.clear();
  kept.set(timeZone, offsets);
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

/** `Z`, or an offset such as +02:00, for milliseconds ahead of UTC. */
export function formatOffset(offset: number): string {
  if (offset === 0) return 'Z';
  const minutes = Math.round(Math.abs(offset) / MINUTE_MS);
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

/** An instant by the clock of a zone, with its offset: `2026-07-12T21:38:00+02:00`. */
export function showInstant(instant: number, timeZone: string, fraction = fractionOf(instant)): string {
  const whole = Math.floor(instant / 1_000) * 1_000;
  const offset = toLocal(whole, timeZone) - whole;
  // Before there were zones, clocks were ahead by seconds too, which no offset can say.
  const shown = offset % MINUTE_MS === 0 ? offset : 0;
  const local = new Date(whole + shown).toISOString();
  return `${local.slice(0, -5)}${fraction}${formatOffset(shown)}`;
}

/** A time as a source wrote it, by the clock of a zone and to the last digit that counts; what is no time is left as it is. */
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
