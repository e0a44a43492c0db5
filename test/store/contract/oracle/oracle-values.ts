import type { Kind } from '../../../support/granted-sources.ts';

/** A value as it compares: times are milliseconds. */
export type Value = string | number | bigint | boolean;

const DATE = /^\d{4}-\d\d-\d\d$/;
const TIME = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?$/;

/** The value of a field, or undefined where there is none: null, absent, or not what the kind says. */
export function readValue(kind: Kind, raw: unknown, zone: string): Value | undefined {
  if (raw === null || raw === undefined) return undefined;
  switch (kind) {
    case 'date-time':
      return typeof raw === 'string' ? readInstant(raw, zone) : undefined;
    case 'date':
      return typeof raw === 'string' ? readDay(raw) : undefined;
    case 'list':
    case 'json':
    case 'text':
      return undefined;
    default:
      return raw as Value;
  }
}

/** A day of the calendar as UTC midnight. It never moves with a zone. */
export function readDay(text: string): number | undefined {
  const time = DATE.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** An instant; without an offset by the clock of the zone, and a bare date at that clock's midnight. */
export function readInstant(text: string, zone: string): number | undefined {
  const day = readDay(text);
  if (day !== undefined) return fromClock(day, zone);
  const match = TIME.exec(text);
  if (match === null) return undefined;
  const clock = Date.parse(`${match[1]}T${match[2]}Z`);
  if (Number.isNaN(clock)) return undefined;
  const offset = match[3];
  if (offset === undefined) return fromClock(clock, zone);
  if (offset === 'Z') return clock;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2));
  return clock - (offset.startsWith('-') ? -1 : 1) * minutes * 60_000;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** How far the zone's clock is ahead of UTC at an instant, in milliseconds. */
export function clockOffset(instant: number, zone: string): number {
  const clock =
    clocks.get(zone) ?? new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  clocks.set(zone, clock);
  const name = clock.formatToParts(instant).find((part) => part.type === 'timeZoneName')?.value ?? 'GMT';
  const match = /^GMT([+-])(\d\d):(\d\d)$/.exec(name);
  if (match === null) return 0;
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3])) * 60_000;
}

/** The instant at which the zone's clock shows a time that exists there once. */
export function fromClock(clock: number, zone: string): number {
  const offsets = [-1, 0, 1].map((days) => clockOffset(clock + days * 86_400_000, zone));
  const found = offsets.find((offset) => clockOffset(clock - offset, zone) === offset);
  if (found === undefined) throw new Error('the clock never shows that time');
  return clock - found;
}

/** Missing values are lowest; text compares by code point. */
export function compareValues(a: Value | undefined, b: Value | undefined): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  return a < b ? -1 : Number(a > b);
}

export function compareText(a: string, b: string): number {
  const [left, right] = [[...a], [...b]].map((text) =>
    text.map((character) => character.codePointAt(0) ?? 0),
  );
  for (let at = 0; at < Math.min(left?.length ?? 0, right?.length ?? 0); at++) {
    const difference = (left?.[at] ?? 0) - (right?.[at] ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  return Math.sign((left?.length ?? 0) - (right?.length ?? 0));
}

/** A value of a record as JSON shows it: whole numbers that JavaScript would round are strings of digits. */
function showRaw(raw: unknown): unknown {
  return typeof raw === 'bigint' && !Number.isSafeInteger(Number(raw)) ? String(raw) : raw;
}

/** The same for a field: times by a clock, which digits of a second the record has stays. */
export function showField(kind: Kind, raw: unknown, clocks: Clocks): unknown {
  if (kind !== 'date-time' || typeof raw !== 'string') return showRaw(raw);
  const instant = readInstant(raw, clocks.stored);
  return instant === undefined ? raw : showInstant(instant, clocks.shown, /[.](\d+)/.exec(raw)?.[1] ?? '');
}

/** The same for a value that was computed or grouped by. */
export function showValue(kind: Kind, value: Value | undefined, clock: string): unknown {
  if (value === undefined) return null;
  if (kind === 'date') return new Date(value as number).toISOString().slice(0, 10);
  if (kind === 'date-time') return showInstant(value as number, clock);
  return showRaw(value);
}

/** What times without an offset mean where they are stored, and by which clock a call asks and is answered. */
export interface Clocks {
  readonly stored: string;
  readonly shown: string;
}

function showInstant(
  instant: number,
  clock: string,
  digits = new Date(instant).toISOString().slice(20, -1),
): string {
  const offset = clockOffset(instant, clock);
  const local = new Date(instant + offset).toISOString().slice(0, 19);
  const minutes = Math.abs(offset) / 60_000;
  const two = (value: number) => String(value).padStart(2, '0');
  const zone =
    offset === 0 ? 'Z' : `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  return `${local}${Number(digits) === 0 ? '' : `.${digits}`}${zone}`;
}
