import type { Results } from './report.ts';

export interface Verdict {
  readonly target: string;
  readonly measured: string;
  readonly isMet: boolean;
}

const SEARCHES = [
  ['search', 8, 25],
  ['search_sentence', 20, 60],
] as const;

/** The performance targets for a million records on two cores. */
export function judge(results: Results): Verdict[] {
  const caseOf = (id: string) => {
    const found = results.cases.find((one) => one.id === id);
    if (found === undefined) throw new Error(`nothing was measured for ${id}`);
    return found;
  };
  const verdicts: Verdict[] = [];
  const atMost = (target: string, value: number, most: number, unit: string) =>
    verdicts.push({ target, measured: `${round(value)}${unit}`, isMet: value <= most });
  const atLeast = (target: string, value: number, least: number, unit: string) =>
    verdicts.push({ target, measured: `${round(value)}${unit}`, isMet: value >= least });

  for (const id of ['fetch', 'filtered']) {
    const { title, ratio, real } = caseOf(id);
    atMost(`${title}: p50 at most 3x the bare route`, ratio ?? Number.NaN, 3, 'x');
    atLeast(`${title}: 1,000 calls/s with 8 connections`, real.eight.perSecond, 1_000, '/s');
  }
  for (const [id, p50, p95] of SEARCHES) {
    const { title, real } = caseOf(id);
    atMost(`${title}: p50 at most ${p50} ms`, real.one.p50, p50, ' ms');
    atMost(`${title}: p95 at most ${p95} ms`, real.one.p95, p95, ' ms');
  }
  atMost('first misspelt word after a start: at most 100 ms', results.firstTypo.median, 100, ' ms');
  atMost('aggregate by month: p50 at most 40 ms', caseOf('months').real.one.p50, 40, ' ms');
  atMost('sum by field, top 10: p50 at most 300 ms', caseOf('top').real.one.p50, 300, ' ms');
  const { ingest } = results;
  atLeast('ingest: 6,000 records per CPU second', ingest.fresh, 6_000, '/s');
  for (const { kind, small, full } of ingest.added)
    atLeast(
      `ingest ${kind}: in the full store at least 2/3 of the speed in a small one`,
      full / small,
      2 / 3,
      'x',
    );
  atMost('first answer at most 1.5 s after the start', results.coldStart.median, 1_500, ' ms');
  atMost('the bearer gate adds at most 0.15 ms to a call', results.gate.added, 0.15, ' ms');
  atMost('resident memory after the run at most 300 MB', results.memory.rss, 300, ' MB');
  return verdicts;
}

function round(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2);
}
