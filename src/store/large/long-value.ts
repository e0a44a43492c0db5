import { createHash } from 'node:crypto';
import { isPlainList } from '../../words/text-form.ts';
import type { LongType } from '../long-value.ts';

/**
 * A record above this size is large: its fields are also stored one by one, so that no read has to parse it. The size
 * counts hidden fields too, so it decides only how a record is read, never what an answer contains.
 */
export const LARGE_BYTES = 64_000;
/** A longer text, list or object is a long value: lists of records show only its beginning. Hidden fields have no effect. */
export const SHORT_CHARACTERS = 2_000;
/** Filters compare this much of a text or a list. Only large records have more. */
export const FILTERED_CHARACTERS = 100_000;

/** Returns whether a record is also stored field by field. */
export function isLarge(data: string): boolean {
  return data.length * 3 > LARGE_BYTES && Buffer.byteLength(data) > LARGE_BYTES;
}

/** Returns the type of a long value, or undefined for a short one. */
export function longTypeOf(value: unknown): LongType | undefined {
  if (typeof value === 'string') return value.length > SHORT_CHARACTERS ? 'text' : undefined;
  if (typeof value !== 'object' || value === null || isSurelyShort(value)) return undefined;
  if (JSON.stringify(value).length <= SHORT_CHARACTERS) return undefined;
  return isPlainList(value) ? 'list' : 'json';
}

/** Returns whether a list has only a few short items, as in most records. Its JSON is then short and need not be built. */
function isSurelyShort(value: object): boolean {
  if (!Array.isArray(value)) return false;
  return (
    value.length <= 10 && value.every((one) => typeof one !== 'object' && String(one).length * 6 + 4 <= 200)
  );
}

/** Returns the beginning of a long value. It is the same for large and other records. */
export function beginningOf(value: unknown, type: LongType): unknown {
  if (type === 'list') return firstItems(value as unknown[], SHORT_CHARACTERS);
  return cut(type === 'text' ? (value as string) : JSON.stringify(value), SHORT_CHARACTERS);
}

/** Returns the first characters of a text, without half a character at the end. */
export function cut(text: string, characters: number): string {
  return text.length > characters ? text.slice(0, characters).toWellFormed() : text;
}

/** Returns the first items of a list that fit into this many characters of JSON. */
export function firstItems(list: readonly unknown[], characters: number): unknown[] {
  let left = characters - 1;
  const items: unknown[] = [];
  for (const item of list) {
    left -= (JSON.stringify(item) ?? 'null').length + 1;
    if (left < 0) break;
    items.push(item);
  }
  return items;
}

/** Returns a text that is equal for equal values only, and short for long values. */
export function fingerprint(value: unknown): string {
  const json = JSON.stringify(value);
  return longTypeOf(value) === undefined ? json : hash(json);
}

export function hash(json: string): string {
  return createHash('sha256').update(json).digest('base64');
}
