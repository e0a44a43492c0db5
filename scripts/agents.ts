import { ask, learning, questions } from '../test/agents/answer-questions.ts';
import { openLife } from '../test/agents/life.ts';

/** Prints the table of test/agents/costs.md. */
const life = await openLife();
const learned = await ask(life, learning);
const rows = [{ words: 'What is there, and what can the streams do?', ...learned }];
for (const { ask: words, calls } of questions) rows.push({ words, ...(await ask(life, calls)) });
life.world.close();
const sum = (name: 'calls' | 'tokens') => rows.reduce((total, row) => total + row[name], 0);
const lines = [
  '| question | calls | tokens |',
  '| --- | --- | --- |',
  ...rows.map(({ words, calls, tokens }) => `| ${words} | ${calls} | ${tokens} |`),
  `| **${questions.length} questions** | **${sum('calls')}** | **${sum('tokens')}** |`,
];
process.stdout.write(`${lines.join('\n')}\n`);
