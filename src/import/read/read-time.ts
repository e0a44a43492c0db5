import { parseInstant, toUtc } from '../../time/instant.ts';
import { readWritten } from './read-clock.ts';

export interface TimeOptions {
  /** What a time without a zone means. */
  readonly timeZone: string;
  readonly dayFirst?: boolean;
}

type Unit = 's' | 'ms' | 'us' | 'ns';
const PER_MILLISECOND: Readonly<Record<Unit, number>> = { s: 0.001, ms: 1, us: 1_000, ns: 1_000_000 };
const FIRST = Date.UTC(1, 0, 1);
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59);

/** The instant as records hold it: `2024-05-01T10:00:00Z`. Undefined outside of what calendars know. */
export function formatTime(milliseconds: number): string | undefined {
  if (!(milliseconds >= FIRST && milliseconds <= LAST)) return undefined;
  return new Date(milliseconds).toISOString().replace('.000Z', 'Z');
}

/** Any of the usual shapes as an instant. */
export function readTime(text: string, options: TimeOptions): string | undefined {
  const exact = text.length > 10 ? parseInstant(text.trim(), options.timeZone) : undefined;
  if (exact !== undefined) return formatTime(exact);
  const written = readWritten(text, options.dayFirst);
  if (written === undefined) return undefined;
  const local = toLocal(written) + (written.clock ?? 0);
  return formatTime(
    written.offset === undefined ? toUtc(local, options.timeZone) : local - written.offset * 60_000,
  );
}

/** Any of the usual shapes as a calendar day, `2024-05-01`, as it was written and without regard to zones. */
export function readDay(text: string, options: { readonly dayFirst?: boolean } = {}): string | undefined {
  const written = readWritten(text, options.dayFirst);
  return written === undefined ? undefined : formatTime(toLocal(written))?.slice(0, 10);
}

/** A count since 1970. Without a unit its size tells: seconds until the year 5138, then milli, micro, nano. */
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
