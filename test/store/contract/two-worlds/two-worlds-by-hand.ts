import { parseArgs } from 'node:util';
import { print, printTable } from '../../../support/print-table.ts';
import { type Theme, themes } from '../draw/draw-tale.ts';
import { type CaseDone, runCases, runCasesIn } from './run-cases.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '1' },
    theme: { type: 'string' },
    engine: { type: 'string' },
    engines: { type: 'boolean', default: false },
  },
});
const [runs, seed, jobs] = [values.runs, values.seed, values.jobs].map(Number) as [number, number, number];
const { engine, engines } = values;
const theme = Object.keys(themes).find((name): name is Theme => name === values.theme);
if (values.theme !== undefined && theme === undefined)
  throw new Error(`--theme is one of: ${Object.keys(themes).join(', ')}`);

/** How often it is said how far it has come. */
const EVERY = 100;

const started = performance.now();
const tally = new Map<Theme, { cases: number; requests: number; differences: number; cpuMs: number }>();
let done = 0;

// Whoever stops it early still learns what was done.
process.once('SIGINT', () => {
  report();
  process.exit(process.exitCode ?? 130);
});
try {
  if (jobs > 1) await runCasesIn(jobs, { seed, runs, theme, engine, engines }, count);
  else await runCases({ seed, runs, theme, engine, engines, step: 1 }, count);
} catch (error) {
  print(String(error));
  process.exitCode = 1;
}
report();

function count({ theme, requests, cpuMs, difference }: CaseDone): void {
  const sum = tally.get(theme) ?? { cases: 0, requests: 0, differences: 0, cpuMs: 0 };
  sum.cases += 1;
  sum.requests += requests;
  sum.differences += difference === undefined ? 0 : 1;
  sum.cpuMs += cpuMs;
  tally.set(theme, sum);
  done += 1;
  if (difference !== undefined) {
    process.exitCode = 1;
    print(`DIFFERENCE in ${difference}\n`);
  }
  if (done % EVERY !== 0 || done === runs) return;
  const perMinute = (done / (performance.now() - started)) * 60_000;
  const left = Math.ceil((runs - done) / perMinute);
  print(`${done} of ${runs} cases, ${Math.round(perMinute)} a minute, ${left} min left`);
}

function report(): void {
  const rows = [...tally]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { cpuMs, ...sum }]) => ({
      theme: name,
      ...sum,
      'ms a case': Math.round(cpuMs / sum.cases),
    }));
  const sums = [...tally.values()];
  const add = (name: 'requests' | 'differences' | 'cpuMs') => sums.reduce((all, sum) => all + sum[name], 0);
  const seconds = (ms: number) => (ms / 1_000).toFixed(0);
  printTable(rows);
  print(
    `${done} cases, ${add('requests')} requests, ${add('differences')} differences, ${seconds(performance.now() - started)} s, ${seconds(add('cpuMs'))} s of CPU (${(add('cpuMs') / 1_000 / Math.max(1, done)).toFixed(2)} a case)`,
  );
}
