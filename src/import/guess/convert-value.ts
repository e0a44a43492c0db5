import { readDay, readEpoch, readTime } from '../read/read-time.ts';

export interface ConvertOptions {
  readonly timeZone: string;
  readonly dayFirst?: boolean;
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
  if (value === undefined || value === null || value === '') return undefined;
  const types = [schema.type].flat();
  if (types.includes('string') && schema.format === 'date-time') return toTime(value, options);
  if (types.includes('string') && schema.format === 'date') return readDay(String(value), options) ?? null;
  if (types.includes('string')) return typeof value === 'string' ? value : JSON.stringify(value);
  if (types.includes('integer') || types.includes('number'))
    return typeof value === 'number' ? value : (toNumber(String(value)) ?? null);
  if (types.includes('boolean'))
    return typeof value === 'boolean' ? value : /^(true|yes|1)$/i.test(String(value).trim());
  return value;
}

function toTime(value: unknown, options: ConvertOptions): string | null {
  if (typeof value === 'number') return readEpoch(value) ?? null;
  const text = String(value);
  return readTime(text, options) ?? readEpoch(text) ?? null;
}

function toNumber(text: string): number | undefined {
  const trimmed = text.trim();
  // A comma is the decimal sign where it is the last of the two that occurs.
  const plain =
    trimmed.lastIndexOf(',') > trimmed.lastIndexOf('.')
      ? trimmed.replaceAll('.', '').replace(',', '.')
      : trimmed.replaceAll(',', '');
  const number = Number(plain);
  return plain === '' || !Number.isFinite(number) ? undefined : number;
}
