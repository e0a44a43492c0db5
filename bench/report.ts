import type { BesideFigures } from './beside.ts';
import type { CrowdFigures } from './crowd.ts';
import type { DeadlineFigures } from './deadline.ts';
import type { GateFigures } from './gate.ts';
import type { IngestFigures } from './ingest.ts';
import type { Figures } from './load.ts';
import type { CaseFigures } from './measure.ts';
import { count, decimals, table } from './table.ts';

export interface Results {
  readonly records: number;
  readonly node: string;
  readonly processors: number;
  /** Runnable processes before and after: above the number of processors, the figures are too high. */
  readonly systemLoad: readonly [before: number, after: number];
  readonly seconds: number;
  readonly cases: readonly CaseFigures[];
  readonly ingest: IngestFigures;
  /** Records per CPU second while the store was filled, where that is known. */
  readonly filling: number | undefined;
  readonly coldStart: { readonly median: number; readonly all: readonly number[] };
  /** The first search of a process, for a misspelt word. */
  readonly firstTypo: { readonly median: number; readonly all: readonly number[] };
  readonly gate: GateFigures;
  readonly beside: BesideFigures;
  readonly crowd: CrowdFigures;
  readonly deadline: DeadlineFigures | undefined;
  readonly memory: { readonly rss: number; readonly peak: number; readonly mapped: number };
  readonly disk: Record<string, number>;
}

export function renderReport(results: Results): string {
  const { records, node, processors, systemLoad, seconds } = results;
  return `${count(records)} records, node ${node}, ${processors} processors, load ${systemLoad.map((one) => one.toFixed(1)).join(' to ')}, ${Math.round(seconds)} s

${renderCases(results.cases)}

${table(listOtherRows(results))}`;
}

/** The figures that are not of one kind of call. */
export function listOtherRows(results: Results): string[][] {
  const { ingest, filling, coldStart, firstTypo, beside, crowd, memory } = results;
  const [apart, between] = ingest.added.map(({ small, full }) => (full / small).toFixed(2));
  const tail = ({ p50, p99 }: Figures) => `p50 ${decimals(p50)}, p99 ${decimals(p99)} ms`;
  const spread = (all: readonly number[]) => `median of ${all.map(Math.round).join(', ')}`;
  const whole = filling && `; ${count(filling)} over the whole store`;
  return [
    ['other figures', 'result'],
    ['ingest, records per CPU second', `${count(ingest.fresh)} into an empty store${whole ?? ''}`],
    [
      'ingest of 10,000 records into the full store, relative to a small one',
      `${apart}x in new connections, ${between}x in existing ones`,
    ],
    ['first answer after the start', `${Math.round(coldStart.median)} ms, ${spread(coldStart.all)}`],
    [
      'first search for a misspelt word after a start',
      `${Math.round(firstTypo.median)} ms, ${spread(firstTypo.all)}`,
    ],
    ['authentication of a call', `${decimals(results.gate.added)} ms`],
    ['fetch of an app, alone', tail(beside.alone)],
    [
      'fetch of an app while another sends the heaviest batches',
      `${tail(beside.beside)}; ${beside.batches} batches of 20 answered meanwhile`,
    ],
    [
      `${crowd.clients} apps at once, ${count(crowd.records)} records, every kind of call in turn`,
      `${tail(crowd)}, ${count(crowd.perSecond)} calls/s, ${crowd.errors} errors ${crowd.messages.join('; ')}`.trim(),
    ],
    ['calls past a deadline of a second', describeDeadline(results.deadline)],
    [
      'resident memory with workers',
      `${memory.rss} MB, of which ${memory.mapped} MB are mapped files; peak ${memory.peak} MB`,
    ],
    [
      'disk',
      Object.entries(results.disk)
        .map(([name, megabytes]) => `${name} ${count(megabytes)} MB`)
        .join(', '),
    ],
  ];
}

function describeDeadline(deadline: DeadlineFigures | undefined): string {
  if (deadline === undefined) return 'no call takes that long';
  const list = (all: readonly number[]) => all.map(Math.round).join(', ');
  return `answered as timeout after ${list(deadline.refusedMs)} ms; the next calls took ${list(deadline.nextMs)} ms`;
}

export function renderCases(cases: readonly CaseFigures[]): string {
  return `${table(listCaseRows(cases))}
${renderErrors(cases)}
Milliseconds. p50, p95 and p99 with one connection, CPU of the server per call with eight. 2025: the same calls in requests of the 2025 protocol.
bare: a Hono route that runs the same SQL. x: ratio to the bare route. SQL: the same statements in this process.
The SQL of the filtered page names its index; that of search reads the newest 300 matches and ranks nothing.`;
}

export function listCaseRows(cases: readonly CaseFigures[]): string[][] {
  const head = [
    '',
    'p50',
    'p95',
    'p99',
    'calls/s: 1',
    'calls/s: 8',
    'calls/s: 64',
    'CPU',
    '2025: p50',
    'CPU',
  ];
  const bareHead = ['bare: p50', 'calls/s: 8', 'CPU', 'SQL: p50', 'p50 x', 'calls/s x', 'CPU x'];
  const rows = cases.map(({ title, real, legacy, bare, direct }) => {
    const [one, eight, crowd] = [1, 8, 64].map((connections) => real[connections]);
    const [bareOne, bareEight] = [bare?.[1], bare?.[8]];
    const ratio = (a: number | undefined, b: number | undefined) =>
      a === undefined || b === undefined ? '-' : (a / b).toFixed(1 + Number(a < b));
    return [
      title,
      ...[one?.p50, one?.p95, one?.p99].map(decimals),
      ...[one?.perSecond, eight?.perSecond, crowd?.perSecond].map(count),
      ...[eight?.cpu, legacy?.[1]?.p50, legacy?.[8]?.cpu].map(decimals),
      ...[decimals(bareOne?.p50), count(bareEight?.perSecond), decimals(bareEight?.cpu)],
      decimals(direct?.p50),
      ratio(one?.p50, bareOne?.p50),
      ratio(eight?.perSecond, bareEight?.perSecond),
      ratio(eight?.cpu, bareEight?.cpu),
    ];
  });
  return [[...head, ...bareHead], ...rows];
}

/** The slowest calls are those that fail, so the figures of such a case flatter. */
function renderErrors(cases: readonly CaseFigures[]): string {
  return cases
    .flatMap(({ title, real, legacy, bare }) =>
      [real, legacy, bare].map((side) => ({ title, all: Object.values(side ?? {}) })),
    )
    .map(({ title, all }) => ({ title, errors: add(all, 'errors'), calls: add(all, 'calls') }))
    .filter(({ errors }) => errors > 0)
    .map(({ title, errors, calls }) => `FAILED: ${errors} of ${errors + calls} calls, ${title}\n`)
    .join('');
}

function add(all: readonly Figures[], name: 'errors' | 'calls'): number {
  return all.reduce((sum, one) => sum + one[name], 0);
}
