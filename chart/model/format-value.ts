/** A value as text and, if it is a number, its size for drawing. */
export interface Shown {
  readonly text: string;
  readonly size: number | undefined;
}

/** Integers outside the safe range arrive as digits. */
const DIGITS = /^-?\d{16,}$/;
/** Larger numbers are not written out in digits, which would not fit a line. */
const MAX_WRITTEN_OUT = 1e21;
const MAX_DIGITS = 40;
const MAX_LABEL_CHARACTERS = 300;

/** Formats the value of a group: a number, digits, a time, or nothing. */
export function formatValue(value: unknown, locale: string | undefined): Shown {
  if (Number.isFinite(value)) return { text: formatNumber(value as number, locale), size: value as number };
  if (typeof value === 'string' && DIGITS.test(value)) {
    const size = Number(value);
    const text = value.length > MAX_DIGITS ? value : new Intl.NumberFormat(locale).format(BigInt(value));
    return { text, size: Number.isFinite(size) ? size : undefined };
  }
  if (typeof value === 'string') return { text: formatTime(formatLabel(value)), size: undefined };
  return { text: value === null || value === undefined ? 'none' : formatLabel(value), size: undefined };
}

/** Shortens an instant such as 2026-05-01T09:30:00+02:00: the zone is named once, and midnight is left out. */
export function formatTime(text: string): string {
  const [, day, clock] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::[\d.]+)?(?:Z|[+-]\d\d:\d\d)$/.exec(text) ?? [];
  if (day === undefined) return text;
  return clock === '00:00' ? day : `${day} ${clock}`;
}

export function formatNumber(value: number, locale: string | undefined): string {
  const isShort = value === 0 || (Math.abs(value) < MAX_WRITTEN_OUT && Math.abs(value) >= 1e-6);
  if (!isShort)
    return new Intl.NumberFormat(locale, { notation: 'scientific', maximumFractionDigits: 6 }).format(value);
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 6 }).format(value);
}

/** Formats a number in little space, for an axis. */
export function formatShort(value: number, locale: string | undefined): string {
  const notation = Math.abs(value) >= 1e15 ? 'scientific' : 'compact';
  return new Intl.NumberFormat(locale, { notation, maximumSignificantDigits: 3 }).format(value);
}

/** Formats the value that a group has in common. Long ones are cut. */
export function formatLabel(value: unknown): string {
  if (value === null || value === undefined) return '(none)';
  if (value === '') return '(empty)';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_LABEL_CHARACTERS ? `${text.slice(0, MAX_LABEL_CHARACTERS)}…` : text;
}

/** Returns a locale that the browser knows, or undefined for its own. */
export function chooseLocale(wanted: unknown): string | undefined {
  try {
    return typeof wanted === 'string' ? Intl.getCanonicalLocales(wanted)[0] : undefined;
  } catch {
    return undefined;
  }
}
