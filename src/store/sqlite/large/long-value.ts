import { createHash } from 'node:crypto';
import { isPlainList } from '../../../words/text-form.ts';
import type { LongType } from '../../long-value.ts';

/**
 * A record above this size is large: its fields are also stored one by one, so that no read has to parse it. The size
 * counts hidden fields too, so it decides only how a record is read, never what an answer holds.
 */
export const LARGE_BYTES = 64_000;
/** A longer text, list or object is a long value: lists of records hold its beginning. Depends on the value alone. */
export const SHORT_CHARACTERS = 2_000;
/** Filters look at this much of a text or a list. No record that is not large has more. */
export const FILTERED_CHARACTERS = 100_000;

/** What kind of long value it is, or undefined for a short one. */
export function longTypeOf(value: unknown): LongType | undefined {
  if (typeof value === 'string') return value.length > SHORT_CHARACTERS ? 'text' : undefined;
  if (typeof value !== 'object' || value === null || isSurelyShort(value)) return undefined;
  if (JSON.stringify(value).length <= SHORT_CHARACTERS) return undefined;
  return isPlainList(value) ? 'list' : 'json';
}

/** Few short items, as in most records: their JSON need not be written to know that it is short. */
function isSurelyShort(value: object): boolean {
  if (!Array.isArray(value)) return false;
  return (
    value.length <= 10 && value.every((one) => typeof one !== 'object' && String(one).length * 6 + 4 <= 200)
  );
}

/** The beginning of a long value, of the same length however the value was read. */
export function beginningOf(value: unknown, type: LongType): unknown {
  if (type === 'list') return firstItems(value as unknown[], SHORT_CHARACTERS);
  return cut(type === 'text' ? (value as string) : JSON.stringify(value), SHORT_CHARACTERS);
}

/** The first characters of a text, without half a character at the end. */
export function cut(text: string, characters: number): string {
  return text.length > characters ? text.slice(0, characters).toWellFormed() : text;
}

/** As many items from the beginning of a list as fit into so many characters of JSON. */
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

/** Tells two values apart without holding both. */
export function fingerprint(value: unknown): string {
  const json = JSON.stringify(value);
  return longTypeOf(value) === undefined ? json : hash(json);
}

export function hash(json: string): string {
  return createHash('sha256').update(json).digest('base64');
}
