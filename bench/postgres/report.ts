import type { Comparison } from '../compare.ts';
import { count, decimals, table } from '../table.ts';
import type { EngineFigures } from './engines.ts';

export function renderEngines(figures: EngineFigures): string {
  return `${count(figures.records)} records on SQLite and on PostgreSQL

${table(listEngineRows(figures))}
Milliseconds. The fastest call and p50 with one connection; CPU of the server and of PostgreSQL per call, and calls/s, with eight.

${table(listOtherEngineRows(figures))}`;
}

export function listEngineRows({ cases }: Pick<EngineFigures, 'cases'>): string[][] {
  const head = ['', 'fastest: SQLite', 'PostgreSQL', 'x', 'p50: SQLite', 'PostgreSQL', 'x'];
  const cpuHead = [
    'CPU: SQLite',
    'PostgreSQL: server',
    'database',
    'calls/s: SQLite',
    'PostgreSQL',
    'failed',
  ];
  return [[...head, ...cpuHead], ...cases.map(listFigures)];
}

function listFigures({ title, before, now }: Comparison): string[] {
  const trio = (name: 'least' | 'p50') => {
    const [one, other] = [before[1]?.[name] ?? Number.NaN, now[1]?.[name] ?? Number.NaN];
    return [decimals(one), decimals(other), (other / one).toFixed(2)];
  };
  const failed = [before, now].map((side) => Object.values(side).reduce((sum, one) => sum + one.errors, 0));
  return [
    title,
    ...trio('least'),
    ...trio('p50'),
    ...[before[8]?.cpu, now[8]?.cpu, now[8]?.databaseCpu].map(decimals),
    ...[before[8]?.perSecond, now[8]?.perSecond].map(count),
    failed.join(', '),
  ];
}

export function listOtherEngineRows({ ingest, processes, megabytes }: EngineFigures): string[][] {
  return [
    ['other figures', 'result'],
    [
      `ingest of ${count(ingest.records)} records, per CPU second`,
      `${count(ingest.server)} of the server; ${count(ingest.withDatabase)} with the CPU of PostgreSQL; ${count(ingest.sqlite)} on SQLite`,
    ],
    ...processes.map((one) => [
      `${one.processes} ${one.processes === 1 ? 'process' : 'processes'}, ${8 * one.processes} connections, five kinds of calls in turn`,
      `${count(one.perSecond)} calls/s, p50 ${decimals(one.p50)}, p99 ${decimals(one.p99)} ms; CPU per call ${decimals(one.cpu)} ms, of PostgreSQL ${decimals(one.databaseCpu)} ms; ${one.errors} errors`,
    ]),
    ['size of the database', `${count(megabytes)} MB`],
  ];
}
