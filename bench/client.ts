import { Agent, request } from 'node:http';
import type { ToolCall } from './cases.ts';
import type { FloorCall } from './floor.ts';

export interface Target {
  readonly port: number;
  readonly path: string;
  readonly headers: (name: string) => Record<string, string>;
  /** CPU milliseconds of the server so far. */
  readonly readCpu: () => number;
}

export interface Prepared {
  readonly body: string;
  readonly name: string;
}

export interface Load {
  readonly milliseconds: number[];
  readonly wallMilliseconds: number;
  /** Calls whose connection was closed on them. They have no time, so they must not go unmentioned. */
  readonly dropped: number;
  readonly cpuMilliseconds: number;
}

const PROTOCOL = '2026-07-28';

export function mcpTarget(port: number, token: string, readCpu = () => 0): Target {
  return {
    port,
    readCpu,
    path: '/mcp',
    headers: (name) => ({
      authorization: `Bearer ${token}`,
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': PROTOCOL,
      'mcp-method': 'tools/call',
      'mcp-name': name,
    }),
  };
}

export function bareTarget(port: number, readCpu: () => number): Target {
  return { port, readCpu, path: '/call', headers: () => ({}) };
}

export function prepareTool(call: ToolCall): Prepared {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': PROTOCOL,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...call, _meta } };
  return { body: JSON.stringify(body), name: call.name };
}

export function prepareFloor(call: FloorCall): Prepared {
  return { body: JSON.stringify(call), name: call.op };
}

/** Makes one call and throws unless it succeeds: an error must not be timed as an answer. */
export function send(target: Target, agent: Agent, { body, name }: Prepared): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port: target.port,
        path: target.path,
        method: 'POST',
        agent,
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          ...target.headers(name),
        },
      },
      (incoming) => {
        let text = '';
        incoming.setEncoding('utf8');
        incoming.on('data', (piece: string) => {
          text += piece;
        });
        incoming.once('error', reject);
        incoming.once('end', () => {
          const isFine = incoming.statusCode === 200 && !text.includes('"isError":true');
          if (isFine) resolve(text);
          else reject(new Error(`${name} answered ${incoming.statusCode}: ${text.slice(0, 300)}`));
        });
      },
    );
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

/** Sends all calls over a number of connections that are always busy. Connecting is not timed. */
export async function load(target: Target, calls: readonly Prepared[], connections: number): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  try {
    await Promise.all(Array.from({ length: connections }, () => send(target, agent, calls[0] as Prepared)));
    const milliseconds: number[] = [];
    let next = 0;
    let dropped = 0;
    const cpuBefore = target.readCpu();
    const started = performance.now();
    const work = async () => {
      while (next < calls.length) {
        const call = calls[next++] as Prepared;
        const before = performance.now();
        try {
          await send(target, agent, call);
          milliseconds.push(performance.now() - before);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
          dropped += 1;
        }
      }
    };
    await Promise.all(Array.from({ length: connections }, work));
    const wallMilliseconds = performance.now() - started;
    return { milliseconds, wallMilliseconds, dropped, cpuMilliseconds: target.readCpu() - cpuBefore };
  } finally {
    agent.destroy();
  }
}
