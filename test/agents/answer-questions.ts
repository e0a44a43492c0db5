import { countTokens } from 'gpt-tokenizer';
import { laterQuestions } from './again.ts';
import { blindQuestions } from './blind.ts';
import { clockAndWordQuestions } from './clock-and-words.ts';
import { dayQuestions } from './days.ts';
import type { Life } from './life.ts';
import { moneyQuestions } from './money.ts';
import type { Body, Call, Question } from './question.ts';
import { talkQuestions } from './talks.ts';
import { workQuestions } from './works.ts';

export const questions: Question[] = [
  ...moneyQuestions,
  ...talkQuestions,
  ...dayQuestions,
  ...workQuestions,
  ...laterQuestions,
  ...blindQuestions,
  ...clockAndWordQuestions,
];

/** What an agent learns first, once for all its questions. */
export const learning: Call[] = [
  ['schema', {}],
  ['schema', { stream: ['transactions', 'samples', 'plays', 'threads', 'issues', 'conversations'] }],
  ['schema', { stream: ['messages', 'events'], connection_id: ['slack', 'gmail', 'google_calendar'] }],
];

/** What was asked of the tools for one purpose, and what it cost. */
export interface Asked {
  readonly seen: readonly Body[];
  readonly calls: number;
  readonly tokens: number;
}

export async function ask(life: Life, calls: Question['calls']): Promise<Asked> {
  const seen: Body[] = [];
  let tokens = 0;
  for (const next of calls) {
    const [tool, args] = typeof next === 'function' ? next(seen) : next;
    const { content, structuredContent, isError } = await life.world.call(life.world.token, tool, args);
    if (isError) throw new Error(`${tool} ${JSON.stringify(args)}: ${content[0]?.text}`);
    seen.push(structuredContent);
    tokens += countTokens(content[0]?.text ?? '');
  }
  return { seen, calls: calls.length, tokens };
}
