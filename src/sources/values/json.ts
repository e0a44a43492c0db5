import { readTime, type TimeOptions } from '../../import/read/read-time.ts';

/** An object of a JSON file. Its values can have any type: the functions below return undefined for other types. */
export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the object, or an empty one. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Returns the list, or an empty one. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the objects in a list. */
export function objectsOf(value: unknown): JsonObject[] {
  return listOf(value).filter(isObject);
}

/** Returns a text that is not blank. Numbers become digits, because exports write ids both ways. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : stringOf(value);
}

/** Returns a text that is not blank. Unlike `textOf`, refuses numbers. */
export function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** Returns the first value that is a text and not a number. */
export function firstString(...values: readonly unknown[]): string | undefined {
  return values.map(stringOf).find((text) => text !== undefined);
}

export function trimmedText(value: unknown): string | undefined {
  return textOf(value)?.trim();
}

/** Returns the first value that is a text. */
export function firstText(...values: readonly unknown[]): string | undefined {
  for (const value of values) {
    const text = textOf(value);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Returns a number. Some exports write numbers as text. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Returns a number without its fraction: a call of 61.7 seconds has 61 full seconds. */
export function integerOf(value: unknown): number | undefined {
  const number = numberOf(value);
  return number === undefined ? undefined : Math.trunc(number);
}

export function roundedOf(value: unknown): number | undefined {
  const number = numberOf(value);
  return number === undefined ? undefined : Math.round(number);
}

/** Returns a boolean. Unlike `flagOf`, refuses texts. */
export function booleanOf(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

/** Returns a boolean. Some exports write it as text. */
export function flagOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === 'True') return true;
  return value === 'false' || value === 'False' ? false : undefined;
}

/** Returns the texts in a list, or undefined if there are none. */
export function textsOf(value: unknown): string[] | undefined {
  return someOf(listOf(value).map(textOf));
}

/** Returns the defined values, or undefined if there are none. */
export function someOf<T>(values: readonly (T | undefined)[]): T[] | undefined {
  const some = values.filter((value) => value !== undefined);
  return some.length === 0 ? undefined : some;
}

/** Parses a time in any usual notation. */
export function timeOf(value: unknown, options: TimeOptions): string | undefined {
  const text = textOf(value);
  return text === undefined ? undefined : readTime(text, options);
}

/** Removes empty values: a field that an export leaves empty is absent from the record. */
export function dropEmpty(fields: JsonObject): JsonObject {
  const filled: JsonObject = {};
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    const isEmpty =
      value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
    if (!isEmpty && name !== '__proto__') filled[name] = value;
  }
  return filled;
}
