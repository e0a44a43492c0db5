import { parseDate, parseInstant, showInstant } from '../time/instant.ts';
import type { FieldKind } from './scope.ts';
import { NO_TIME, type Value } from './values.ts';

/** Returns a field's value as it is compared; null if it is not of the kind. */
export function toValue(kind: FieldKind, value: unknown, timeZone: string): Value {
  switch (kind) {
    case 'string':
      return typeof value === 'string' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? Number(value) : null;
    case 'number':
      return typeof value === 'number' ? value : parseBigNumber(value);
    case 'integer':
      return typeof value === 'number' ? value : parseBigInteger(value);
    case 'date':
      return typeof value === 'string' ? (parseDate(value.slice(0, 10)) ?? null) : null;
    case 'date-time':
      return typeof value === 'string' ? (parseInstant(value, timeZone) ?? null) : null;
    default:
      return null;
  }
}

/** Answers cut longer texts. */
export const MAX_SHOWN_CHARS = 300;

/** Returns the time of the field that a stream is ordered by. */
export function toTime(kind: FieldKind | undefined, value: unknown, timeZone: string): number {
  if (kind === undefined) return NO_TIME;
  const slot = toValue(kind, value, timeZone);
  return typeof slot === 'number' ? slot : NO_TIME;
}

/** Returns a value as JSON shows it, a time in a zone. */
export function fromValue(kind: FieldKind, value: Value, timeZone: string): string | number | boolean | null {
  if (value === null || value === NO_TIME) return null;
  if (kind === 'boolean') return value === 1;
  if (kind === 'date' && typeof value === 'number') return new Date(value).toISOString().slice(0, 10);
  if (kind === 'date-time' && typeof value === 'number') return showInstant(value, timeZone);
  if (typeof value === 'string' && value.length > MAX_SHOWN_CHARS)
    return `${value.slice(0, MAX_SHOWN_CHARS)}…`;
  return typeof value === 'bigint' ? String(value) : value;
}

/** Returns the nearest number for digits that do not fit a JavaScript number. */
function parseBigNumber(value: unknown): Value {
  return typeof value === 'string' && /^-?\d{16,400}$/.test(value) ? Number(value) : null;
}

const INT64_MAX = 2n ** 63n - 1n;

/** Returns an integer for digits that do not fit a JavaScript number. Beyond 64 bits they are compared as text. */
function parseBigInteger(value: unknown): Value {
  if (typeof value !== 'string' || !/^-?\d{1,100}$/.test(value)) return null;
  const integer = BigInt(value);
  return integer <= INT64_MAX && integer >= -INT64_MAX ? integer : value;
}
