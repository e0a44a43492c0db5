import { parse } from 'lossless-json';
import { z } from 'zod';
import { jsonDepth, MAX_JSON_DEPTH } from '../text/json.ts';

/** One parsed line of NDJSON, without rounded numbers. */
export interface Line {
  key: string;
  op: 'put' | 'delete';
  emittedAt: string;
  data: Record<string, unknown>;
  /** Like `data`, but large integers are numbers, for schema validation. */
  typed: Record<string, unknown>;
}

type ParsedLine = { kind: 'line'; line: Line } | { kind: 'refused'; reason: string };

export const MAX_LINE_BYTES = 16 * 2 ** 20;
const MAX_KEY_BYTES = 512;

const envelope = z.strictObject({
  key: z.string().min(1),
  op: z.enum(['put', 'upsert', 'delete']).optional(),
  emitted_at: z.string(),
  // The schema checks its fields later.
  data: z.custom<Record<string, unknown>>(isObject).optional(),
});

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Parses a line strictly: refuses duplicate keys, infinite numbers, lone surrogates and `__proto__`. Integers beyond 2^53
 * become strings of their digits, because clients would round them.
 */
export function parseLine(text: string): ParsedLine {
  let value: unknown;
  let typed: unknown;
  if (jsonDepth(text) > MAX_JSON_DEPTH) return refused(`is nested deeper than ${MAX_JSON_DEPTH} levels`);
  try {
    typed = JSON.parse(text);
    value = isUnchanged(typed, text) ? typed : parse(text, undefined, parseNumber);
  } catch (error) {
    return refused(describeParseError(error));
  }
  if (hasReservedKey(text)) return refused('has a key named __proto__');
  // A lone surrogate can only come from an escape, because the line was decoded as UTF-8.
  if (/\\u[dD][89a-fA-F]/.test(text) && hasLoneSurrogate(value))
    return refused('contains an invalid Unicode character');
  const shape = envelope.safeParse(value);
  if (!shape.success) return refused(describeEnvelope(shape.error));
  const { key, op = 'put', emitted_at: emittedAt, data } = shape.data;
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) return refused(`has a key longer than ${MAX_KEY_BYTES} bytes`);
  if (op !== 'delete' && data === undefined) return refused('has no data');
  return {
    kind: 'line',
    line: {
      key,
      op: op === 'delete' ? 'delete' : 'put',
      emittedAt,
      data: data ?? {},
      typed: ((typed as { data?: Record<string, unknown> }).data ?? {}) as Record<string, unknown>,
    },
  };
}

/**
 * Whether the value serialises to the same text, so that no key is duplicated and no number lost digits. Integers beyond
 * 2^53 can also come out the same, so numbers with 16 digits are excluded.
 */
function isUnchanged(value: unknown, text: string): boolean {
  return !/\d{16}/.test(text) && JSON.stringify(value) === text;
}

class InfiniteNumber extends Error {}
class RoundedNumber extends Error {}

function parseNumber(text: string): unknown {
  const number = Number(text);
  if (!Number.isFinite(number)) throw new InfiniteNumber();
  if (Math.abs(number) <= Number.MAX_SAFE_INTEGER) return number;
  if (/^-?\d+$/.test(text)) return text;
  if (!hasSameDigits(text, number)) throw new RoundedNumber();
  return number;
}

/** Returns whether the number has all digits of the text. */
function hasSameDigits(text: string, number: number): boolean {
  const digits = (numeral: string) =>
    (numeral.split(/e/i)[0] as string).replace(/\D/g, '').replace(/^0+|0+$/g, '');
  const expected = digits(text);
  return (
    expected.length <= 100 && digits(number.toExponential(Math.max(0, expected.length - 1))) === expected
  );
}

function describeParseError(error: unknown): string {
  if (error instanceof InfiniteNumber) return 'contains a number that is too large';
  if (error instanceof RoundedNumber) return 'contains a number that would be rounded';
  return error instanceof Error && error.message.startsWith('Duplicate key')
    ? 'has a duplicate key'
    : 'is not valid JSON';
}

function describeEnvelope(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue?.code === 'unrecognized_keys') return 'has fields other than key, data, emitted_at and op';
  const path = issue?.path[0];
  return path === undefined ? 'is not a JSON object' : `has no valid ${String(path)}`;
}

function hasReservedKey(text: string): boolean {
  if (!/proto|\\u00/i.test(text)) return false;
  let found = false;
  JSON.parse(text, (key, value) => {
    if (key === '__proto__') found = true;
    return value;
  });
  return found;
}

function hasLoneSurrogate(value: unknown): boolean {
  if (typeof value === 'string') return !value.isWellFormed();
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => !key.isWellFormed() || hasLoneSurrogate(inner));
}

function refused(reason: string): ParsedLine {
  return { kind: 'refused', reason };
}
