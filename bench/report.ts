import type { BesideFigures } from './beside.ts';
import type { GateFigures } from './gate.ts';
import type { IngestFigures } from './ingest.ts';
import type { CaseFigures, Figures } from './measure.ts';
import { table } from './table.ts';
import type { Verdict } from './targets.ts';

export interface Results {
  readonly records: number;
  readonly node: string;
  readonly processors: number;
  /** Runnable processes before and after: above the number of processors, the figures are too high. */
  readonly systemLoad: readonly [before: number, after: number];
  readonly seconds: number;
  readonly cases: readonly CaseFigures[];
  readonly ingest: IngestFigures;
  /** While the store was filled, where that is known. The last records are of other streams than the first. */
  readonly filling: { readonly first: number; readonly last: number; readonly all: number } | undefined;
  readonly coldStart: { readonly median: number; readonly all: readonly number[] };
  /** The first search of a process, for a misspelt word. */
  readonly firstTypo: { readonly median: number; readonly all: readonly number[] };
  readonly gate: GateFigures;
  readonly beside: BesideFigures;
  readonly memory: { readonly rss: number; readonly peak: number; readonly mapped: number };
  readonly disk: Record<string, number>;
}

export function renderReport(results: Results, verdicts: readonly Verdict[]): string {
  const { ingest, coldStart, firstTypo, memory, systemLoad } = results;
  const added = ingest.added.map(
    ({ kind, small, full }) =>
      `  10,000 more, ${kind === 'apart' ? 'in new connections' : 'among the stored ones'}: ${count(small)} in a store of 10,000, ${count(full)} in the full one`,
  );
  return `${count(results.records)} records, node ${results.node}, ${results.processors} processors, load ${systemLoad.map((one) => one.toFixed(1)).join(' to ')}, ${Math.round(results.seconds)} s

${renderCases(results.cases)}
${renderDropped(results.cases)}
Milliseconds; p50 and p95 with one connection. CPU: of the server per call, with eight. x bare: p50 over p50 of the bare route. SQL: the same in process.
The floor of the filtered page names its index; that of search reads the newest 300 matches and ranks nothing.

Ingest, records per CPU second
  ${count(ingest.freshRecords)} into an empty store: ${count(ingest.fresh)}
${[...added, ...renderFilling(results.filling)].join('\n')}
First answer after start: ${Math.round(coldStart.median)} ms, median of ${coldStart.all.map(Math.round).join(', ')}
First search for a misspelt word after a start: ${Math.round(firstTypo.median)} ms, median of ${firstTypo.all.map(Math.round).join(', ')}
The bearer gate adds ${milliseconds(results.gate.added)} ms
${renderBeside(results.beside)}
Memory after the run: ${memory.rss} MB resident, of it ${memory.mapped} MB mapped files; peak ${memory.peak} MB
Disk: ${Object.entries(results.disk)
    .map(([name, megabytes]) => `${name} ${megabytes} MB`)
    .join(', ')}

${renderVerdicts(verdicts)}${results.records < 1_000_000 ? '\nThe targets are meant for 1,000,000 records.' : ''}`;
}

/** The slowest calls are the ones that get dropped, so the figures of such a case flatter. */
function renderDropped(cases: readonly CaseFigures[]): string {
  return cases
    .map(({ title, real }) => ({ title, dropped: real.one.dropped + real.eight.dropped, real }))
    .filter(({ dropped }) => dropped > 0)
    .map(
      ({ title, dropped, real }) =>
        `\nDROPPED by the server: ${dropped} of ${real.one.calls + real.eight.calls + dropped} calls, ${title}\n`,
    )
    .join('');
}

function renderFilling(filling: Results['filling']): string[] {
  if (filling === undefined) return [];
  const { first, last, all } = filling;
  return [
    `  while filling the store: ${count(all)}; first 50,000 ${count(first)}, last 10,000 ${count(last)} (other streams)`,
  ];
}

function renderBeside({ alone, beside, batches }: BesideFigures): string {
  const tail = ({ p50, p99 }: typeof alone) => `p50 ${milliseconds(p50)}, p99 ${milliseconds(p99)} ms`;
  const ratio = `${(beside.p50 / alone.p50).toFixed(1)}x and ${(beside.p99 / alone.p99).toFixed(1)}x`;
  return `Others' fetch: alone ${tail(alone)}; beside the heaviest client ${tail(beside)} (${ratio}), which was answered ${batches} batches of 20 meanwhile`;
}

function renderCases(cases: readonly CaseFigures[]): string {
  const head = [
    '',
    'p50',
    'p95',
    '1 conn/s',
    '8 conn/s',
    'CPU',
    'bare p50',
    'p95',
    '8 conn/s',
    'CPU',
    'SQL p50',
    'x bare',
  ];
  const rows = cases.map(({ title, real, bare, direct, ratio }) => [
    title,
    ...latency(real.one),
    count(real.one.perSecond),
    count(real.eight.perSecond),
    milliseconds(real.eight.cpu),
    ...(bare === undefined
      ? ['-', '-', '-', '-']
      : [...latency(bare.one), count(bare.eight.perSecond), milliseconds(bare.eight.cpu)]),
    direct === undefined ? '-' : milliseconds(direct.p50),
    ratio === undefined ? '-' : `${ratio.toFixed(1)}`,
  ]);
  return table([head, ...rows]);
}

function renderVerdicts(verdicts: readonly Verdict[]): string {
  return table(verdicts.map(({ isMet, target, measured }) => [isMet ? 'PASS' : 'MISS', target, measured]));
}

const latency = ({ p50, p95 }: Figures) => [milliseconds(p50), milliseconds(p95)];
const milliseconds = (value: number) => (value < 10 ? value.toFixed(2) : value.toFixed(1));
const count = (value: number) => Math.round(value).toLocaleString('en');
