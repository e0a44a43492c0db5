import { type Case, findCase } from '../cases.ts';
import { type Figures, load, summarize, type Target } from '../load.ts';
import { mcpTarget } from '../requests.ts';
import type { Running } from '../server.ts';

/** The calls per second of some processes on one database. */
export interface ProcessFigures extends Figures {
  readonly processes: number;
}

const MIXED = ['fetch', 'newest', 'filtered', 'search', 'months'];
const CONNECTIONS = 8;
const CALLS = 1_500;
const ROUNDS = 3;

/** Sends the same calls to one, two and three processes, in turns. Connections go to the processes in turn. */
export async function measureProcesses(
  cases: readonly Case[],
  token: string,
  first: Running,
  start: (at: number) => Promise<Running>,
): Promise<ProcessFigures[]> {
  const all = [first, await start(2), await start(3)];
  const { write } = mcpTarget(first, token);
  const requests = Array.from({ length: CALLS }, (_, at) =>
    write(findCase(cases, MIXED[at % MIXED.length] as string).call(at)),
  );
  const sides = [1, 2, 3].map((count) => spread(all.slice(0, count), token));
  const loads = sides.map(() => [] as Awaited<ReturnType<typeof load>>[]);
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round++)
    for (const [at, side] of sides.entries()) {
      const one = await load(side, requests, { connections: CONNECTIONS * (at + 1), calls: CALLS });
      if (round > 0) loads[at]?.push(one);
    }
  return loads.map((list, at) => ({ processes: at + 1, ...summarize(list) }));
}

/** Returns several servers as one target, as a load balancer shows them. */
function spread(
  servers: readonly Running[],
  token: string,
): Target<ReturnType<ReturnType<typeof mcpTarget>['write']>> {
  const targets = servers.map((server) => mcpTarget(server, token));
  let next = 0;
  return {
    connect: () => (targets[next++ % targets.length] as (typeof targets)[0]).connect(),
    readCpu: () => servers.reduce((sum, server) => sum + server.readCpu(), 0),
    readDatabaseCpu: servers[0]?.readDatabaseCpu,
  };
}
