import { parse } from 'lossless-json';
import { jsonDepth, MAX_JSON_DEPTH } from '../../text/json-depth.ts';

export type ParsedJson =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'broken'; readonly reason: string };

/** A number that may not survive as one: only then is the slower reader worth its time. */
const LONG_NUMBER = /\d{16}/;

/** Parses JSON without rounding: whole numbers beyond 2^53 become strings of their digits. */
export function parseExactJson(text: string): ParsedJson {
  if (jsonDepth(text) > MAX_JSON_DEPTH)
    return { kind: 'broken', reason: `is nested deeper than ${MAX_JSON_DEPTH} levels` };
  try {
    const value = LONG_NUMBER.test(text) ? parseLongNumbers(text) : (JSON.parse(text) as unknown);
    return { kind: 'value', value };
  } catch {
    return { kind: 'broken', reason: 'is not valid JSON' };
  }
}

function parseLongNumbers(text: string): unknown {
  const plain = JSON.parse(text) as unknown;
  // Long digits stand in texts far more often than in numbers.
  if (!/(?<![\d"])-?\d{16,}(?=\s*[,\]}]|\s*$)/.test(text)) return plain;
  return parse(text, undefined, { parseNumber: keepDigits, onDuplicateKey: ({ newValue }) => newValue });
}

function keepDigits(text: string): number | string {
  const number = Number(text);
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(number) ? text : number;
}
