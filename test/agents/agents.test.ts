import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { type Asked, ask, learning, questions } from './answer-questions.ts';
import { openLife } from './life.ts';

const life = await openLife();
afterAll(() => life.world.close());
const spent: Asked[] = [];
/** Reads a page without the spaces that align its columns. */
const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8').replaceAll(/ +/g, ' ');
const costs = read('costs.md');
const page = read('../../docs/agents.md');

describe('an agent that has only the tool list', () => {
  it('reads the schema', async () => {
    const learned = await ask(life, learning);
    for (const body of learned.seen) expect(body).toHaveProperty('data');
    spent.push(learned);
  });

  it.each(questions)('answers: $ask', async ({ ask: words, calls, answer, truth }) => {
    const asked = await ask(life, calls);
    expect(answer(...asked.seen)).toEqual(truth(life));
    spent.push(asked);
    expect(costs).toContain(`| ${words} | ${asked.calls} |`);
  });

  it('needs at most 36 calls and 25,000 tokens for 24 such questions', () => {
    expect(questions.length).toBeGreaterThanOrEqual(40);
    const sum = (name: 'calls' | 'tokens') => spent.reduce((total, one) => total + one[name], 0);
    expect(sum('calls') / questions.length).toBeLessThanOrEqual(36 / 24);
    expect(sum('tokens') / questions.length).toBeLessThanOrEqual(25_000 / 24);
  });
});

describe('docs/agents.md', () => {
  it('shows rows and totals of the table of all questions', () => {
    const rows = [...page.matchAll(/^\| [^|]+\? \| \d+ \| \d+ \|$/gm)].map(([row]) => row);
    expect(rows.length).toBeGreaterThan(8);
    expect(rows.filter((row) => !costs.includes(row))).toEqual([]);
    const [, count, calls, tokens] =
      /\*\*(\d+) questions\*\* \| \*\*(\d+)\*\* \| \*\*(\d+)/.exec(costs) ?? [];
    expect(page).toContain(`| pdpp | ${count} | ${calls} | ${Number(tokens).toLocaleString('en-US')} |`);
  });
});
