import type { Life } from './life.ts';

// biome-ignore lint/suspicious/noExplicitAny: an agent looks into answers of every shape
export type Body = any;

export type Call = readonly [tool: string, args: Record<string, unknown>];

/**
 * A question, the fewest calls that an agent needs for it once it knows the streams, how the answer is taken from what
 * it sees, and what is true. A later call may be made from what the earlier ones said.
 */
export interface Question {
  readonly ask: string;
  readonly calls: readonly (Call | ((seen: readonly Body[]) => Call))[];
  readonly answer: (...seen: Body[]) => unknown;
  readonly truth: (life: Life) => unknown;
}

/** Groups as pairs of what they are called by and how large they are. */
export function pairs(body: Body, name: string): [string, number][] {
  return body.data.groups.map((group: Body) => [String(group.label ?? group[name]), group.value]);
}

export const records = (body: Body): Body[] => body.data.map((row: Body) => row.record);
