import type { Case } from './cases.ts';
import { type Figures, type Load, type LoadOptions, load, summarize } from './load.ts';
import { mcpTarget } from './requests.ts';
import { startReal } from './server.ts';

export interface CrowdFigures extends Figures {
  readonly clients: number;
  readonly records: number;
  /** The first few error messages. */
  readonly messages: readonly string[];
}

export const CROWD_CLIENTS = 64;
export const CROWD_RECORDS = 200_000;
const SECONDS = 12;
const WARM_ROUNDS = 8;

/** Measures 64 apps at once, each with its own grant and connection, that make every kind of call in turn without pause. */
export async function measureCrowd(
  directory: string,
  cases: readonly Case[],
  tokens: readonly string[],
  records: number,
): Promise<CrowdFigures> {
  const server = await startReal(directory);
  try {
    const run = async (length: Pick<LoadOptions, 'calls' | 'seconds'>) =>
      Promise.all(
        tokens.map((token, client) => {
          // One process serves all, so its CPU time is read once, below.
          const target = mcpTarget({ port: server.port, readCpu: () => 0 }, token);
          const requests = cases.map((_, at) =>
            target.write((cases[(client + at) % cases.length] as Case).call(client + at)),
          );
          return load(target, requests, { connections: 1, ...length });
        }),
      );
    // Each worker reads some things once per grant and change number, such as the values in schema(stream). They are
    // read before: a grant meets both workers within a few rounds.
    await run({ calls: WARM_ROUNDS * cases.length });
    const before = server.readCpu();
    const loads = await run({ seconds: SECONDS });
    return {
      clients: tokens.length,
      records,
      messages: loads.flatMap(({ errors }) => errors).slice(0, 3),
      ...summarize([joinLoads(loads, server.readCpu() - before)]),
    };
  } finally {
    await server.stop();
  }
}

/** Joins loads that ran at the same time. */
function joinLoads(loads: readonly Load[], cpuMilliseconds: number): Load {
  return {
    milliseconds: loads.flatMap((one) => one.milliseconds),
    errors: loads.flatMap((one) => one.errors),
    wallMilliseconds: Math.max(...loads.map((one) => one.wallMilliseconds)),
    cpuMilliseconds,
  };
}
