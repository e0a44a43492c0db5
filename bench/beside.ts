import { Agent, request } from 'node:http';
import type Database from 'better-sqlite3';
import { createCases, type ToolCall } from './cases.ts';
import { load, mcpTarget, prepareTool } from './client.ts';
import { startReal } from './server.ts';

export interface BesideFigures {
  readonly alone: Tail;
  readonly beside: Tail;
  /** Batches that the heavy client completed during the measurement. */
  readonly batches: number;
}

interface Tail {
  readonly p50: number;
  readonly p99: number;
}

const FETCHES = 400;
const CONNECTIONS = 4;
const BATCHED = 20;
const HEAVY = ['top', 'monthly_sum', 'search_common', 'search_typo'];

/**
 * Measures `fetch` of one app while another sends the heaviest possible batches over several connections. Rate limits are
 * off, because this measures fair queuing.
 */
export async function measureBeside(
  directory: string,
  db: Database.Database,
  tokens: { light: string; heavy: string },
): Promise<BesideFigures> {
  const cases = createCases(db);
  const toolOf = (id: string, at: number): ToolCall => {
    const found = cases.find((one) => one.id === id);
    if (found === undefined) throw new Error(`there is no case ${id}`);
    return found.tool(at);
  };
  const fetches = Array.from({ length: FETCHES }, (_, at) => prepareTool(toolOf('fetch', at)));
  const batch = Array.from({ length: BATCHED }, (_, at) => toolOf(HEAVY[at % HEAVY.length] as string, at));
  const server = await startReal(directory);
  try {
    const target = mcpTarget(server.port, tokens.light);
    // The first round warms up.
    await load(target, fetches.slice(0, 50), 1);
    const alone = summarize((await load(target, fetches, 1)).milliseconds);
    const heavy = startHeavy(server.port, tokens.heavy, batch);
    const beside = summarize((await load(target, fetches, 1)).milliseconds);
    return { alone, beside, batches: await heavy.stop() };
  } finally {
    await server.stop();
  }
}

/** Sends the same batch repeatedly, which the 2025 protocol allows. */
function startHeavy(port: number, token: string, batch: readonly ToolCall[]) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let answered = 0;
  const messages = batch.map((params, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params }));
  const body = JSON.stringify(messages);
  let isStopped = false;
  const sendOne = () =>
    new Promise<void>((resolve) => {
      const outgoing = request(
        {
          host: '127.0.0.1',
          port,
          path: '/mcp',
          method: 'POST',
          agent,
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            'mcp-protocol-version': '2025-03-26',
          },
        },
        (incoming) => {
          incoming.resume().once('close', () => {
            if (incoming.complete) answered += 1;
            resolve();
          });
        },
      );
      outgoing.once('error', () => resolve());
      outgoing.end(body);
    });
  const work = async () => {
    while (!isStopped) await sendOne();
  };
  const workers = Array.from({ length: CONNECTIONS }, work);
  return {
    async stop() {
      isStopped = true;
      agent.destroy();
      await Promise.all(workers);
      return answered;
    },
  };
}

function summarize(milliseconds: readonly number[]): Tail {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  const at = (part: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] as number;
  return { p50: at(0.5), p99: at(0.99) };
}
