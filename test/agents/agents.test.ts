import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { type Asked, ask, learning, questions } from './answer-questions.ts';
import { openLife } from './life.ts';

const life = await openLife();
afterAll(() => life.world.close());
const spent: Asked[] = [];
/** As the table is written, but for how far apart its columns are. */
const page = readFileSync(new URL('../../docs/agents.md', import.meta.url), 'utf8').replaceAll(/ +/g, ' ');

describe('an agent that has nothing but the list of tools', () => {
  it('learns what the streams can do', async () => {
    const learned = await ask(life, learning);
    for (const body of learned.seen) expect(body).toHaveProperty('data');
    spent.push(learned);
  });

  it.each(questions)('answers: $ask', async ({ ask: words, calls, answer, truth }) => {
    const asked = await ask(life, calls);
    expect(answer(...asked.seen)).toEqual(truth(life));
    spent.push(asked);
    expect(page).toContain(`| ${words} | ${asked.calls} |`);
  });

  it('needs at most 36 calls and 25,000 tokens for 24 such questions', () => {
    expect(questions.length).toBeGreaterThanOrEqual(40);
    const sum = (name: 'calls' | 'tokens') => spent.reduce((total, one) => total + one[name], 0);
    expect(sum('calls') / questions.length).toBeLessThanOrEqual(36 / 24);
    expect(sum('tokens') / questions.length).toBeLessThanOrEqual(25_000 / 24);
  });
});
