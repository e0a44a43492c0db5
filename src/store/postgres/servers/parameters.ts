import pg from 'pg';
import { decodeText, encodeText } from '../text.ts';

const INT8 = 20;
const TEXT = 25;
const INT8_ARRAY = 1016;
const TEXT_ARRAY = 1009;

const parsers = new Map<number, (value: string) => unknown>([
  [INT8, parseInteger],
  [TEXT, decodeText],
  [INT8_ARRAY, (value) => parseArray(value, parseInteger)],
  [TEXT_ARRAY, (value) => parseArray(value, decodeText)],
]);

/** Returns a value as the driver sends it. */
export function toParameter(value: unknown): unknown {
  if (typeof value === 'string') return encodeText(value);
  return Array.isArray(value) ? value.map(toParameter) : value;
}

/** Returns the function that parses values of a type. */
export function findParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  return (
    (format !== 'binary' ? parsers.get(oid) : undefined) ?? pg.types.getTypeParser(oid, format as 'text')
  );
}

function parseInteger(value: string): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : BigInt(value);
}

function parseArray<T>(value: string, parse: (item: string) => T): (T | null)[] {
  const items = pg.types.getTypeParser(TEXT_ARRAY as number, 'text')(value) as (string | null)[];
  return items.map((item) => (item === null ? null : parse(item)));
}
