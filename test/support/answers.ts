import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect } from 'vitest';
import { errorCodes } from '../../src/errors.ts';
import type { ToolResult } from './world.ts';

const MAX_TOKENS = 4_500;
export const MAX_BYTES = 19_000;
const MAX_ERROR_TOKENS = 1_500;

// A record may spell out a special token; a model reads it as text, so it is counted as text.
export const countReal = (text: string): number => countTokens(text, { disallowedSpecial: new Set() });

/** A token is at least one byte long, so a short text need not be counted. */
function expectTokens(text: string, most: number): void {
  if (Buffer.byteLength(text) > most) expect(countReal(text)).toBeLessThanOrEqual(most);
}

/** Holds for every answer, whatever was asked: two equal channels, and bounded as a whole. */
export function expectBothChannels(result: ToolResult): void {
  expect(result.content).toHaveLength(1);
  const [item] = result.content as [ToolResult['content'][0]];
  expect(item.type).toBe('text');
  expect(item.text === JSON.stringify(result.structuredContent), 'the channels say the same').toBe(true);
  expect(Buffer.byteLength(item.text)).toBeLessThanOrEqual(MAX_BYTES);
  expectTokens(item.text, MAX_TOKENS);
}

/** What an answer says, after checking that both channels say it. */
export function readAnswer(result: ToolResult) {
  expectBothChannels(result);
  expect(result.isError, result.content[0]?.text).toBeUndefined();
  return result.structuredContent;
}

/** The refusal, after checking that it is one of the documented ones, short, and in both channels. */
export function readRefusal(result: ToolResult) {
  expectBothChannels(result);
  expect(result.isError, result.content[0]?.text.slice(0, 300)).toBe(true);
  expect(Object.keys(result.structuredContent)).toEqual(['error']);
  const { error } = result.structuredContent;
  expect(Object.keys(errorCodes)).toContain(error.code);
  expect(error.message).toMatch(/\S/);
  expectTokens(JSON.stringify(result.structuredContent), MAX_ERROR_TOKENS);
  return error;
}

/** Handles and ids of the request differ from run to run; everything else is compared. */
export function normalise<T>(value: T): T {
  return JSON.parse(
    JSON.stringify(value, (name, inner) => {
      if (name === 'request_id') return 'req';
      return name === 'next_cursor' || name === 'next_changes_since' ? 'handle' : inner;
    }),
  );
}
