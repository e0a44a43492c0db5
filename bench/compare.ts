import type { Case } from './cases.ts';
import { type Load, type LoadOptions, load } from './load.ts';
import { type ByConnections, summarizeAll } from './measure.ts';
import type { Pace } from './options.ts';
import { mcpTarget } from './requests.ts';
import type { Running } from './server.ts';
import { decimals } from './table.ts';

/** A server of a comparison. Both sides have the same cases in the same order; their calls may differ. */
export interface Compared {
  readonly server: Running;
  readonly token: string;
  readonly cases: readonly Case[];
}

export interface Comparison {
  readonly id: string;
  readonly title: string;
  readonly before: ByConnections;
  readonly now: ByConnections;
}

const CONNECTIONS = [1, 8];
/** CPU time per case and side before the rounds, because the first calls include compilation. */
const WARM_UP_CPU_MS = 1_000;
/** A server on PostgreSQL uses little CPU time in a call that takes long. */
const WARM_UP_SECONDS = 4;
/** CPU time per round and side. It is reported in ticks of 10 ms, so a round must take many of them. */
const ROUND_CPU_MS = 300;
const CALLS = { first: 40, least: 8, most: 800 };
const REQUESTS = 1_200;

/** Sends the calls of each case to two servers in turns. */
export async function compare(
  before: Compared,
  now: Compared,
  { rounds, repeat }: Pace,
): Promise<Comparison[]> {
  const sides = [before, now].map(({ server, token, cases }) => {
    const target = mcpTarget(server, token);
    const write = ({ call }: Case) => Array.from({ length: REQUESTS }, (_, at) => target.write(call(at)));
    return { target, requests: cases.map(write) };
  });
  const run = (which: number, at: number, options: LoadOptions) => {
    const { target, requests } = sides[which] as (typeof sides)[0];
    return load(target, requests[at] ?? [], options);
  };
  /** Warms up a case and returns the number of calls per round, the same for both sides. */
  const warmUp = async (at: number): Promise<number> => {
    const counts: number[] = [];
    for (const which of sides.keys()) {
      const first = { connections: 1, calls: CALLS.first, seconds: WARM_UP_SECONDS };
      const { cpuMilliseconds, milliseconds } = await run(which, at, first);
      const cpu = Math.max(cpuMilliseconds / milliseconds.length, 0.1);
      const calls = Math.ceil(WARM_UP_CPU_MS / cpu);
      await run(which, at, { connections: 8, calls, seconds: WARM_UP_SECONDS });
      counts.push(Math.ceil((ROUND_CPU_MS * repeat) / cpu));
    }
    return Math.max(CALLS.least, Math.min(CALLS.most * repeat, ...counts));
  };
  // Warms up all cases first. Otherwise the first case would include compilation.
  const counts: number[] = [];
  for (const at of before.cases.keys()) counts.push(await warmUp(at));
  const figures: Comparison[] = [];
  for (const [at, { id, title }] of before.cases.entries()) {
    const loads: [Record<number, Load[]>, Record<number, Load[]>] = [{}, {}];
    for (let round = 0; round < rounds; round++)
      // Alternates the order, because each side benefits from the CPU caches of the previous one.
      for (const connections of CONNECTIONS)
        for (const which of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
          const calls = counts[at] ?? CALLS.least;
          const one = await run(which, at, { connections, calls, first: round * 100 });
          loads[which][connections] = [...(loads[which][connections] ?? []), one];
        }
    const one = { id, title, before: summarizeAll(loads[0]), now: summarizeAll(loads[1]) };
    figures.push(one);
    console.error(renderComparison(one).join('  '));
  }
  return figures;
}

export const COMPARISON_HEAD = [
  'CPU before',
  'now',
  'x',
  'p50 before',
  'now',
  'x',
  'calls/s before',
  'now',
  'x',
  'failed',
];

export function renderComparison({ title, before, now }: Comparison): string[] {
  const trio = (connections: 1 | 8, name: 'cpu' | 'p50' | 'perSecond') => {
    const [one, other] = [before[connections]?.[name] ?? Number.NaN, now[connections]?.[name] ?? Number.NaN];
    return [decimals(one), decimals(other), (other / one).toFixed(2)];
  };
  const failed = [before, now].map((side) => Object.values(side).reduce((sum, one) => sum + one.errors, 0));
  return [title, ...trio(8, 'cpu'), ...trio(1, 'p50'), ...trio(8, 'perSecond'), failed.join(', ')];
}
