import { expect } from 'vitest';
import { expectBothChannels, readRefusal } from '../support/answers.ts';
import { INSIDE_WORDS } from '../support/inputs/hostile-values.ts';
import type { ToolResult, World } from '../support/world.ts';

/** Calls a tool with input nobody sane sends. Whatever the answer is, it is one that we wrote. */
export async function callBadly(
  world: World,
  token: string,
  tool: string,
  args: unknown,
  sent: readonly string[] = [],
): Promise<ToolResult> {
  const { status, body } = await world.rpc(token, 'tools/call', { name: tool, arguments: args });
  expect(status).toBe(200);
  const { result } = body as { result: ToolResult };
  const text = result.content[0]?.text ?? '';
  if (result.isError) expect(readRefusal(result).code).not.toBe('internal');
  else expectBothChannels(result);
  expect(text).not.toMatch(INSIDE_WORDS);
  for (const value of sent) expectNoEcho(text, value);
  expect(world.logged.filter((line) => line.includes('"event":"error"'))).toEqual([]);
  return result;
}

/** A refusal that repeats what was sent lets the sender put words into our mouth. */
function expectNoEcho(text: string, value: string): void {
  const piece = value.trim().slice(0, 40);
  if (piece.length < 6) return;
  expect(text.includes(piece), 'the answer repeats what was sent').toBe(false);
  expect(text.includes(JSON.stringify(piece).slice(1, -1)), 'the answer repeats what was sent').toBe(false);
}
