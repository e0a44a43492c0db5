import { createHash } from 'node:crypto';
import { NO_TIME, type Value } from '../store/values.ts';
import { parseDate, parseInstant, showInstant } from '../time/instant.ts';
import type { FieldKind } from './field.ts';

/**
 * A field's value as the database compares it: times as milliseconds, flags as 0 and 1, whole numbers
 * beyond 2^53 (which travel as strings of digits) as 64-bit integers. Null for what is not of the kind.
 */
export function toSlotValue(kind: FieldKind, value: unknown, timeZone: string): Value {
  switch (kind) {
    case 'string':
      return typeof value === 'string' ? toSlotText(value) : null;
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

/** Texts longer than this are told apart by a hash of the whole, so that no slot holds an essay. */
export const SLOT_TEXT = 300;

function toSlotText(text: string): string {
  if (text.length <= SLOT_TEXT) return text;
  return `${text.slice(0, SLOT_TEXT).toWellFormed()}\0${createHash('sha256').update(text).digest('base64url')}`;
}

/** The same for the field a stream is ordered by. */
export function toTime(kind: FieldKind | undefined, value: unknown, timeZone: string): number {
  if (kind === undefined) return NO_TIME;
  const slot = toSlotValue(kind, value, timeZone);
  return typeof slot === 'number' ? slot : NO_TIME;
}

/** A slot's content as JSON shows it, a moment by the clock of a zone. */
export function fromSlotValue(
  kind: FieldKind,
  value: Value,
  timeZone: string,
): string | number | boolean | null {
  if (value === null || value === NO_TIME) return null;
  if (kind === 'boolean') return value === 1;
  if (kind === 'date' && typeof value === 'number') return new Date(value).toISOString().slice(0, 10);
  if (kind === 'date-time' && typeof value === 'number') return showInstant(value, timeZone);
  if (typeof value === 'string' && value.length > SLOT_TEXT) return `${value.slice(0, SLOT_TEXT)}…`;
  return typeof value === 'bigint' ? String(value) : value;
}

/** In a field of numbers, compared as the nearest one there is. */
function parseBigNumber(value: unknown): Value {
  return typeof value === 'string' && /^-?\d{16,400}$/.test(value) ? Number(value) : null;
}

const INT64_MAX = 2n ** 63n - 1n;

/** Digits that do not fit a JavaScript number. Beyond 64 bits they are compared as text. */
function parseBigInteger(value: unknown): Value {
  if (typeof value !== 'string' || !/^-?\d{1,100}$/.test(value)) return null;
  const integer = BigInt(value);
  return integer <= INT64_MAX && integer >= -INT64_MAX ? integer : value;
}
