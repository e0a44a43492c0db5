import { readTime, type TimeOptions } from '../../import/read/read-time.ts';

/** Reading values of which nobody promised the shape: what is missing or of another kind is undefined. */
export type Loose = Record<string, unknown>;

export function objectOf(value: unknown): Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : {};
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text that says something; numbers as their digits, because ids come both ways. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** The first of the values that is a text. */
export function firstText(...values: readonly unknown[]): string | undefined {
  for (const value of values) {
    const text = textOf(value);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** A number, also where it was written as a text, as X does with its counts. */
function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

export function integerOf(value: unknown): number | undefined {
  const number = numberOf(value);
  return number === undefined ? undefined : Math.trunc(number);
}

export function flagOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === 'True') return true;
  return value === 'false' || value === 'False' ? false : undefined;
}

/** The texts of a list, what is not text left out; undefined rather than an empty list. */
export function textsOf(value: unknown): string[] | undefined {
  return someOf(listOf(value).map(textOf));
}

export function someOf(values: readonly (string | undefined)[]): string[] | undefined {
  const some = values.filter((value) => value !== undefined);
  return some.length === 0 ? undefined : some;
}

/** A time in any of the usual shapes. */
export function timeOf(value: unknown, options: TimeOptions): string | undefined {
  const text = textOf(value);
  return text === undefined ? undefined : readTime(text, options);
}
