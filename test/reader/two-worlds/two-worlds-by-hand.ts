import { parseArgs } from 'node:util';
import { print, printTable } from '../../support/print-table.ts';
import { type Theme, themes } from '../draw/draw-tale.ts';
import { checkCase } from './check-two-worlds.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    theme: { type: 'string' },
  },
});
const [runs, seed] = [Number(values.runs), Number(values.seed)];
const theme = Object.keys(themes).find((name): name is Theme => name === values.theme);
if (values.theme !== undefined && theme === undefined)
  throw new Error(`--theme is one of: ${Object.keys(themes).join(', ')}`);

const tally = new Map<Theme, { cases: number; requests: number; differences: number; ms: number }>();
// Whoever stops it early still learns what was done.
process.once('SIGINT', () => {
  report();
  process.exit();
});
for (let at = seed; at < seed + runs; at++) await runCase(at);
report();

async function runCase(at: number): Promise<void> {
  const started = performance.now();
  try {
    const done = await checkCase(at, theme);
    count(done.theme, done.requests, 0, started);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    print(`DIFFERENCE in ${message}\n`);
    count((message.split(':')[0] ?? 'plain') as Theme, 0, 1, started);
  }
  const done = at - seed + 1;
  if (done % 100 === 0) print(`${done} cases`);
}

function count(name: Theme, requests: number, differences: number, started: number): void {
  const sum = tally.get(name) ?? { cases: 0, requests: 0, differences: 0, ms: 0 };
  sum.cases += 1;
  sum.requests += requests;
  sum.differences += differences;
  sum.ms += performance.now() - started;
  tally.set(name, sum);
}

function report(): void {
  const rows = [...tally].map(([name, sum]) => ({ theme: name, ...sum, ms: Math.round(sum.ms) }));
  const add = (pick: (row: (typeof rows)[number]) => number) => rows.reduce((all, row) => all + pick(row), 0);
  printTable(rows);
  print(
    `${add((row) => row.cases)} cases, ${add((row) => row.requests)} requests, ${add((row) => row.differences)} differences, ${Math.round(add((row) => row.ms) / 1_000)} s`,
  );
  if (add((row) => row.differences) > 0) process.exitCode = 1;
}
