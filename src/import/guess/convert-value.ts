import { normaliseDigits } from '../read/decimal-mark.ts';
import { readDay, readEpoch, readTime } from '../read/read-time.ts';
import { type ColumnReading, isNothing } from './column-profile.ts';

export interface ConvertOptions extends ColumnReading {
  readonly timeZone: string;
}

/**
 * A value of a file as the declared field wants it; undefined where it is empty, null where it cannot be made so and
 * the record has to do without it.
 */
export function convertValue(
  value: unknown,
  schema: Readonly<Record<string, unknown>>,
  options: ConvertOptions,
): unknown {
  if (value === undefined || value === null || (typeof value === 'string' && value.trim() === ''))
    return undefined;
  const types = [schema.type].flat();
  const isPlainText = types.includes('string') && schema.format === undefined;
  if (isPlainText) return typeof value === 'string' ? value : JSON.stringify(value);
  // A dash in a column of numbers is none of them; as a text it stands for itself.
  if (isNothing(value)) return undefined;
  if (types.includes('string') && schema.format === 'date-time') return toTime(value, options);
  if (types.includes('string') && schema.format === 'date') return readDay(String(value), options) ?? null;
  if (types.includes('integer') || types.includes('number'))
    return typeof value === 'number' ? value : (toNumber(String(value), options) ?? null);
  if (types.includes('boolean'))
    return typeof value === 'boolean' ? value : /^(true|yes|1)$/i.test(String(value).trim());
  return value;
}

function toTime(value: unknown, options: ConvertOptions): string | null {
  if (typeof value === 'number') return readEpoch(value) ?? null;
  const text = String(value);
  return readTime(text, options) ?? readEpoch(text) ?? null;
}

function toNumber(text: string, { mark = '.' }: ConvertOptions): number | undefined {
  const trimmed = text.trim();
  const plain = /e/i.test(trimmed) ? trimmed : normaliseDigits(trimmed, mark);
  const number = Number(plain);
  return plain === '' || !Number.isFinite(number) ? undefined : number;
}
