import { PAGES } from './large.ts';
import type { Figures } from './load.ts';
import type { CaseFigures } from './measure.ts';
import { describeMeasured, type Measured } from './measured.ts';
import { count, decimals, table } from './table.ts';

/** A figure with its target. Both sides of a ratio were measured in turns. */
interface Target {
  readonly what: string;
  readonly figure: number | undefined;
  readonly unit: 'x' | 'ms' | 'MB' | 'calls/s' | 'records/s' | 'errors';
  readonly most?: number;
  readonly least?: number;
}

/** The targets for a million records on two cores. Figures that no command has measured yet are left open. */
export function listTargets(measured: Measured): Target[] {
  return [
    ...overBare(measured),
    ...overPeer(measured),
    ...overBefore(measured),
    ...ofProcess(measured),
    ...ofIngest(measured),
    ...ofGrowth(measured),
    ...overSqlite(measured),
  ];
}

export function renderTargets(measured: Measured): string {
  return `${table(listTargetRows(measured))}
${describeMeasured(measured)}. The targets are meant for 1,000,000 records on two cores.`;
}

/** What, figure, target, met. */
export function listTargetRows(measured: Measured): string[][] {
  const rows = listTargets(measured).map((target) => [
    target.what,
    target.figure === undefined ? 'not measured' : write(target.figure, target.unit),
    target.most === undefined
      ? `at least ${write(target.least ?? 0, target.unit)}`
      : `at most ${write(target.most, target.unit)}`,
    isMet(target) === undefined ? '-' : isMet(target) ? 'yes' : 'NO',
  ]);
  return [['what', 'figure', 'target', 'met'], ...rows];
}

export function isMet({ figure, most, least }: Target): boolean | undefined {
  if (figure === undefined) return undefined;
  return figure <= (most ?? Number.POSITIVE_INFINITY) && figure >= (least ?? Number.NEGATIVE_INFINITY);
}

function overBare({ run }: Measured): Target[] {
  const ratio = (id: string, connections: 1 | 8, name: 'cpu' | 'p50' | 'perSecond') => {
    const one = run?.cases.find((figures) => figures.id === id);
    return divide(one?.real[connections]?.[name], one?.bare?.[connections]?.[name]);
  };
  const cpu = (id: string, what: string, most: number): Target => ({
    what: `CPU relative to the bare route: ${what}`,
    figure: ratio(id, 8, 'cpu'),
    unit: 'x',
    most,
  });
  const p50 = (id: string, what: string, most: number): Target => ({
    what: `p50 relative to the bare route: ${what}`,
    figure: ratio(id, 1, 'p50'),
    unit: 'x',
    most,
  });
  return [
    cpu('fetch', 'fetch', 2.2),
    cpu('filtered', 'filtered page', 3.5),
    cpu('newest', 'newest page', 3.5),
    p50('fetch', 'fetch', 2),
    p50('filtered', 'filtered page', 2.5),
    {
      what: 'calls/s relative to the bare route, 8 connections: tools/list',
      figure: ratio('list', 8, 'perSecond'),
      unit: 'x',
      least: 0.8,
    },
  ];
}

function overPeer({ peers }: Measured): Target[] {
  const target = (id: string, what: string, least: number): Target => {
    const sides = peers?.questions.find((question) => question.id === id)?.sides;
    const perSecond = (name: string) => sides?.find((side) => side.name === name)?.figures[8]?.perSecond;
    return {
      what: `calls/s relative to DBHub, 8 connections: ${what}`,
      figure: divide(perSecond('pdpp'), perSecond('DBHub')),
      unit: 'x',
      least,
    };
  };
  return [
    target('fetch', 'fetch', 2.5),
    target('newest', 'newest page', 1.8),
    target('filtered', 'filtered page', 1.8),
    target('search', 'search for two words', 1.2),
  ];
}

function overBefore({ against }: Measured): Target[] {
  const target = (id: string, what: string, most: number): Target => {
    const one = against?.cases.find((figures) => figures.id === id);
    return {
      what: `CPU relative to the other build: ${what}`,
      figure: divide(one?.now[8]?.cpu, one?.before[8]?.cpu),
      unit: 'x',
      most,
    };
  };
  return [
    target('list', 'tools/list', 0.3),
    target('fetch', 'fetch', 0.5),
    target('newest', 'newest page', 0.6),
  ];
}

function ofProcess({ run }: Measured): Target[] {
  const figures = (id: string): CaseFigures | undefined => run?.cases.find((one) => one.id === id);
  const alone = (id: string): Figures | undefined => figures(id)?.real[1];
  const late = run?.deadline?.refusedMs.map((ms) => ms - (run.deadline?.deadlineMs ?? 0));
  return [
    {
      what: 'fetch p99 while another app sends the heaviest batches, relative to alone',
      figure: divide(run?.beside.beside.p99, run?.beside.alone.p99),
      unit: 'x',
      most: 2,
    },
    { what: '64 clients, 200,000 records: p99', figure: run?.crowd.p99, unit: 'ms', most: 200 },
    { what: '64 clients, 200,000 records: errors', figure: run?.crowd.errors, unit: 'errors', most: 0 },
    {
      what: 'delay between the deadline of a call and its timeout error',
      figure: late && Math.max(...late),
      unit: 'ms',
      most: 200,
    },
    { what: 'sum by merchant, top 10: p50', figure: alone('top')?.p50, unit: 'ms', most: 100 },
    { what: 'count by month: p50', figure: alone('months')?.p50, unit: 'ms', most: 40 },
    { what: 'search, one or two words: p50', figure: alone('search')?.p50, unit: 'ms', most: 8 },
    { what: 'search, one or two words: p95', figure: alone('search')?.p95, unit: 'ms', most: 25 },
    { what: 'search, 10 to 20 words: p50', figure: alone('search_sentence')?.p50, unit: 'ms', most: 20 },
    { what: 'search, 10 to 20 words: p95', figure: alone('search_sentence')?.p95, unit: 'ms', most: 60 },
    { what: 'first misspelt word after a start', figure: run?.firstTypo.median, unit: 'ms', most: 100 },
    { what: 'schema(): CPU', figure: figures('schema')?.real[8]?.cpu, unit: 'ms', most: 1.5 },
    { what: 'schema(stream): CPU', figure: figures('schema_stream')?.real[8]?.cpu, unit: 'ms', most: 1.2 },
    { what: 'authentication of a call', figure: run?.gate.added, unit: 'ms', most: 0.15 },
    { what: 'first answer after the start', figure: run?.coldStart.median, unit: 'ms', most: 500 },
    { what: 'resident memory with workers', figure: run?.memory.rss, unit: 'MB', most: 350 },
  ];
}

function ofIngest({ run }: Measured): Target[] {
  const added = (kind: 'apart' | 'between'): Target => {
    const one = run?.ingest.added.find((figures) => figures.kind === kind);
    return {
      what: `ingest into the full store, relative to a small one: ${kind === 'apart' ? 'new' : 'existing'} connections`,
      figure: divide(one?.full, one?.small),
      unit: 'x',
      least: 0.67,
    };
  };
  return [
    { what: 'ingest per CPU second', figure: run?.ingest.fresh, unit: 'records/s', least: 6_000 },
    added('apart'),
    added('between'),
  ];
}

function overSqlite({ engines }: Measured): Target[] {
  const target = (id: string, what: string): Target => {
    const one = engines?.cases.find((figures) => figures.id === id);
    return {
      what: `p50 on PostgreSQL relative to SQLite: ${what}`,
      figure: divide(one?.now[1]?.p50, one?.before[1]?.p50),
      unit: 'x',
      most: 3,
    };
  };
  return [
    target('fetch', 'fetch'),
    target('newest', 'newest page'),
    target('filtered', 'filtered page'),
    target('search', 'search, one or two words'),
    {
      what: 'ingest on PostgreSQL per CPU second of the server',
      figure: engines?.ingest.server,
      unit: 'records/s',
      least: 8_000,
    },
  ];
}

function ofGrowth({ large }: Measured): Target[] {
  const ratios = large?.cases
    .filter(({ id }) => PAGES.includes(id))
    .map(({ before, now }) => divide(now[1]?.p50, before[1]?.p50) ?? Number.NaN);
  const flat = large?.ingest.added.map(({ small, full }) => full / small);
  return [
    {
      what: 'ten million records: p50 of the slowest page, relative to a million',
      figure: ratios && Math.max(...ratios),
      unit: 'x',
      most: 1.5,
    },
    {
      what: 'ten million records: ingest, relative to a small store',
      figure: flat && Math.min(...flat),
      unit: 'x',
      least: 0.67,
    },
    { what: 'ten million records: resident memory', figure: large?.memory, unit: 'MB', most: 450 },
  ];
}

function divide(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one / other;
}

function write(value: number, unit: Target['unit']): string {
  if (unit === 'x') return `${value.toFixed(2)}x`;
  return `${Number.isInteger(value) ? count(value) : decimals(value)} ${unit}`;
}
