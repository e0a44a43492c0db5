/** npm run reliability -- --rounds 200: the kill rounds by hand, with a table at the end. */
import { parseArgs } from 'node:util';
import { runKillRounds, writeKillTable } from './kill-rounds.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '200' } } });
const figures = await runKillRounds(Number(values.rounds), (line) => process.stderr.write(`${line}\n`));
process.stdout.write(`${writeKillTable(figures)}\n`);
if (figures.problems.length > 0) process.exitCode = 1;
