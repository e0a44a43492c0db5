import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../time/durations.ts';
import { parseDate, parseInstant, toUtc } from '../../time/instant.ts';
import { readWritten } from './read-clock.ts';

export interface TimeOptions {
  /** The time zone of times without one. */
  readonly timeZone: string;
  /** Whether 03/04 is the third of April. */
  readonly dayFirst?: boolean;
  /** Called with every result that depends on the zone, and with a function for its value in another zone. */
  readonly onLocalTime?: OnLocalTime;
}

/** `derived` marks a day computed from a time that had a zone. */
export type OnLocalTime = (
  result: string,
  inZone: (timeZone: string) => string | undefined,
  from?: 'derived',
) => void;

type Unit = 's' | 'ms' | 'us' | 'ns';
const PER_MILLISECOND: Readonly<Record<Unit, number>> = { s: 0.001, ms: 1, us: 1_000, ns: 1_000_000 };
/** The common form, in which the day is the first ten characters. */
const STANDARD = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?: ?(?:Z|[+-]\d\d:?\d\d))?)?$/;
const FIRST = Date.UTC(1, 0, 1);
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59);

/** Formats an instant as records hold it: `2024-05-01T10:00:00Z`. Returns undefined outside the years 1 to 9999. */
export function formatTime(milliseconds: number): string | undefined {
  if (!isInRange(milliseconds)) return undefined;
  const whole = Math.trunc(milliseconds);
  const day = Math.floor(whole / DAY_MS);
  if (day !== recent.day) recent = { day, text: new Date(day * DAY_MS).toISOString().slice(0, 11) };
  const clock = whole - day * DAY_MS;
  const [hour, minute, second] = [
    Math.floor(clock / HOUR_MS),
    Math.floor(clock / MINUTE_MS) % 60,
    Math.floor(clock / 1_000) % 60,
  ];
  const fraction = clock % 1_000;
  const end = fraction === 0 ? 'Z' : `.${String(fraction).padStart(3, '0')}Z`;
  return `${recent.text}${TWO_DIGITS[hour]}:${TWO_DIGITS[minute]}:${TWO_DIGITS[second]}${end}`;
}

const isInRange = (milliseconds: number) => milliseconds >= FIRST && milliseconds <= LAST;
const TWO_DIGITS = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));
/** Caches the last day, because consecutive times usually share it and formatting it is slow. */
let recent = { day: Number.NaN, text: '' };

/** Parses a time in any common format: `2024-05-01T10:00:00Z`, `May 1, 2024, 10:00 AM`, `1.5.24 10:00`. */
export function readTime(text: string, options: TimeOptions): string | undefined {
  const moment = readMoment(text, options);
  if (moment === undefined) return undefined;
  const result = formatTime(moment.instant);
  if (moment.isLocal && result !== undefined && options.onLocalTime !== undefined) {
    const { onLocalTime, ...rest } = options;
    onLocalTime(result, (timeZone) => readTime(text, { ...rest, timeZone }));
  }
  return result;
}

/** Whether the text is a time. */
export function isTime(text: string, options: TimeOptions): boolean {
  const moment = readMoment(text, options);
  return moment !== undefined && isInRange(moment.instant);
}

interface Moment {
  readonly instant: number;
  /** Whether the instant depends on the time zone. */
  readonly isLocal: boolean;
}

const OFFSET = /(?:[Zz]|[+-]\d\d:?\d\d)$/;

function readMoment(text: string, options: TimeOptions): Moment | undefined {
  const trimmed = text.length > 10 ? text.trim() : '';
  const exact = trimmed === '' ? undefined : parseInstant(trimmed, options.timeZone);
  // A date without a time ends like an offset: `2024-05-01`.
  if (exact !== undefined) return { instant: exact, isLocal: trimmed.length <= 10 || !OFFSET.test(trimmed) };
  const written = readWritten(text, options.dayFirst);
  if (written === undefined) return undefined;
  const local = toLocal(written) + (written.clock ?? 0);
  return written.offset === undefined
    ? { instant: toUtc(local, options.timeZone), isLocal: true }
    : { instant: local - written.offset * MINUTE_MS, isLocal: false };
}

/** Parses a date in any common format as `2024-05-01`. Time zones are ignored. */
export function readDay(text: string, options: { readonly dayFirst?: boolean } = {}): string | undefined {
  if (STANDARD.test(text)) return keepDay(text.slice(0, 10));
  const written = readWritten(text, options.dayFirst);
  return written === undefined ? undefined : formatTime(toLocal(written))?.slice(0, 10);
}

function keepDay(day: string): string | undefined {
  const at = parseDate(day);
  return at !== undefined && isInRange(at) ? day : undefined;
}

/** Converts a Unix time. Without a unit, its size decides between seconds, milli-, micro- and nanoseconds. */
export function readEpoch(value: unknown, unit?: Unit): string | undefined {
  const number = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined;
  const size = Math.abs(number);
  const guessed = size < 1e11 ? 's' : size < 1e14 ? 'ms' : size < 1e17 ? 'us' : 'ns';
  return formatTime(Math.round(number / PER_MILLISECOND[unit ?? guessed]));
}

function toLocal({ year, month, day }: { year: number; month: number; day: number }): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}
