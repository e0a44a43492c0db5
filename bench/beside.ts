import { setTimeout as sleep } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { createCases, findCase } from './cases.ts';
import { HttpConnection } from './http-connection.ts';
import { type Figures, type Load, load, summarize } from './load.ts';
import type { Pace } from './options.ts';
import { mcpHeaders, mcpTarget, type ToolCall, writeRequest } from './requests.ts';
import { startReal } from './server.ts';

export interface BesideFigures {
  readonly alone: Figures;
  readonly beside: Figures;
  /** Batches that the heavy client completed during the measurement. */
  readonly batches: number;
}

const FETCHES = 400;
/** A 99th percentile needs some hundred calls, so a round takes longer than one of a case. */
const ROUND_SECONDS = 2;
const CONNECTIONS = 4;
const BATCHED = 20;
/** Time for the server to notice that the heavy client has hung up. */
const SETTLE_MS = 500;
const HEAVY = ['top', 'monthly_sum', 'search_common', 'search_typo'];

/**
 * Measures `fetch` of one app with and without another that sends the heaviest possible batches over several connections,
 * in turns. Rate limits are off, because this measures fair queuing.
 */
export async function measureBeside(
  directory: string,
  db: Database.Database,
  tokens: { light: string; heavy: string },
  { rounds }: Pace,
): Promise<BesideFigures> {
  const cases = createCases(db);
  const callOf = (id: string, at: number) => findCase(cases, id).call(at) as ToolCall;
  const server = await startReal(directory);
  try {
    const target = mcpTarget(server, tokens.light);
    const fetches = Array.from({ length: FETCHES }, (_, at) => target.write(callOf('fetch', at)));
    const batch = Array.from({ length: BATCHED }, (_, at) => callOf(HEAVY[at % HEAVY.length] as string, at));
    const [alone, beside]: [Load[], Load[]] = [[], []];
    let batches = 0;
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      const options = { connections: 1, seconds: ROUND_SECONDS };
      const idle = await load(target, fetches, options);
      const heavy = startHeavy(server.port, tokens.heavy, batch);
      const busy = await load(target, fetches, options);
      batches += await heavy.stop();
      await sleep(SETTLE_MS);
      if (round === 0) continue;
      alone.push(idle);
      beside.push(busy);
    }
    return { alone: summarize(alone), beside: summarize(beside), batches };
  } finally {
    await server.stop();
  }
}

/** Sends the same batch repeatedly, which the 2025 protocol allows. */
function startHeavy(port: number, token: string, batch: readonly ToolCall[]) {
  const messages = batch.map((params, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params }));
  const request = writeRequest('/mcp', JSON.stringify(messages), {
    authorization: `Bearer ${token}`,
    ...mcpHeaders('tools/list', '2025'),
    'mcp-protocol-version': '2025-03-26',
  });
  let answered = 0;
  let isStopped = false;
  const connections = Array.from({ length: CONNECTIONS }, () => new HttpConnection(port));
  const work = async (connection: HttpConnection) => {
    while (!isStopped) {
      const answer = await connection.send(request).catch(() => undefined);
      if (answer?.status === 200) answered += 1;
    }
  };
  const working = connections.map(work);
  return {
    async stop() {
      isStopped = true;
      for (const one of connections) one.close();
      await Promise.all(working);
      return answered;
    },
  };
}
