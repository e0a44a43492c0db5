import { normaliseDigits } from '../read/decimal-mark.ts';
import { readDay, readEpoch, readTime } from '../read/read-time.ts';
import { type ColumnReading, isMissing } from './column-profile.ts';

interface ConvertOptions extends ColumnReading {
  readonly timeZone: string;
}

/** Converts a value to the declared type. Returns undefined if it is empty and null if it cannot be converted. */
type Convert = (value: unknown) => unknown;

/** Creates the converter of a field, once for all rows. */
export function createConverter(schema: Readonly<Record<string, unknown>>, options: ConvertOptions): Convert {
  const types = [schema.type].flat();
  const isText = types.includes('string');
  if (isText && schema.format === undefined) return toText;
  const convert = findConvert(schema, types, options);
  // A dash is empty in a column of numbers but is kept as text.
  return (value) => (isEmpty(value) || isMissing(value) ? undefined : convert(value));
}

function findConvert(
  schema: Readonly<Record<string, unknown>>,
  types: readonly unknown[],
  options: ConvertOptions,
): Convert {
  if (types.includes('string') && schema.format === 'date-time') return (value) => toTime(value, options);
  if (types.includes('string') && schema.format === 'date')
    return (value) => readDay(String(value), options) ?? null;
  if (types.includes('integer') || types.includes('number'))
    return (value) => (typeof value === 'number' ? value : (toNumber(String(value), options) ?? null));
  if (types.includes('boolean'))
    return (value) => (typeof value === 'boolean' ? value : /^(true|yes|1)$/i.test(String(value).trim()));
  return (value) => value;
}

const isEmpty = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

function toText(value: unknown): unknown {
  if (isEmpty(value)) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function toTime(value: unknown, options: ConvertOptions): string | null {
  if (typeof value === 'number') return readEpoch(value) ?? null;
  const text = String(value);
  return readTime(text, options) ?? readEpoch(text) ?? null;
}

/** Digits with at most one dot. Unambiguous if the dot is the decimal mark. */
const PLAIN = /^-?\d+(?:\.\d+)?$/;

function toNumber(text: string, { mark = '.' }: ConvertOptions): number | undefined {
  const trimmed = text.trim();
  const isPlain = (mark === '.' && PLAIN.test(trimmed)) || /e/i.test(trimmed);
  const plain = isPlain ? trimmed : normaliseDigits(trimmed, mark);
  const number = Number(plain);
  return plain === '' || !Number.isFinite(number) ? undefined : number;
}
