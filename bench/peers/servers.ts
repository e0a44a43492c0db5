import { type Load, type LoadOptions, load, type Target } from '../load.ts';
import {
  bareTarget,
  type Call,
  httpTarget,
  mcpHeaders,
  mcpTarget,
  readMessage,
  writeMessage,
  writeRequest,
} from '../requests.ts';
import { findPort, startBare, startReal, startServer } from '../server.ts';
import { PEERS, scriptOf } from './install.ts';
import type { Question } from './questions.ts';
import { startStdio } from './stdio-server.ts';

/** A server that answers the questions in its own way. */
export interface Side {
  readonly name: string;
  readonly version: string;
  load(question: Question, options: LoadOptions): Promise<Load>;
  /** The texts of one answer that a model would read. Undefined for the bare route, which is not for models. */
  ask(question: Question, index: number): Promise<string | undefined>;
  stop(): Promise<unknown>;
}

/** Distinct requests per question; they repeat after that. */
const REQUESTS = 300;

/** Starts all servers: ours with a grant over a store, the bare route over the same store, peers over the tables. */
export async function startSides(storeDirectory: string, tables: string, token: string): Promise<Side[]> {
  const sides: Side[] = [];
  try {
    const ours = await startReal(storeDirectory);
    const target = mcpTarget(ours, token, '2025');
    sides.push(createSide('pdpp', '', ours, target, ({ call }, at) => target.write(call(at))));
    const bare = await startBare(storeDirectory);
    const route = bareTarget(bare);
    sides.push({
      ...createSide('bare route', '', bare, route, ({ floor }, at) => route.write(floor(at))),
      ask: async () => undefined,
    });
    sides.push(await startDbhub(tables));
    sides.push(
      await startPeer('mcp-server-sqlite-npx', [tables], (sql) => ({
        name: 'read_query',
        arguments: { query: sql },
      })),
    );
    sides.push(
      await startPeer('mcp-sqlite-server', [], (sql) => ({ name: 'query', arguments: { db: tables, sql } })),
    );
    return sides;
  } catch (error) {
    await Promise.all(sides.map((side) => side.stop()));
    throw error;
  }
}

async function startDbhub(tables: string): Promise<Side> {
  const port = await findPort();
  const args = ['--transport', 'http', '--port', String(port), '--dsn', `sqlite://${tables}`];
  const server = await startServer(port, [scriptOf('@bytebase/dbhub'), ...args], 'endpoint at');
  return createSide('DBHub', PEERS['@bytebase/dbhub'], server, httpTarget(server), (question, at) => {
    const call = toCall(question, at, (sql) => ({ name: 'execute_sql', arguments: { sql } }));
    return writeRequest('/mcp', writeMessage(call, '2025'), mcpHeaders(call, '2025'));
  });
}

async function startPeer(
  name: 'mcp-server-sqlite-npx' | 'mcp-sqlite-server',
  args: readonly string[],
  toTool: (sql: string) => Exclude<Call, string>,
): Promise<Side> {
  const server = await startStdio(scriptOf(name), args);
  return createSide(name, PEERS[name], server, server.target, (question, at) => {
    const call = toCall(question, at, toTool);
    return call === 'tools/list' ? { method: call, params: {} } : { method: 'tools/call', params: call };
  });
}

function toCall({ sql }: Question, at: number, toTool: (sql: string) => Exclude<Call, string>): Call {
  return sql === undefined ? 'tools/list' : toTool(sql(at));
}

function createSide<Request>(
  name: string,
  version: string,
  server: { stop(): Promise<unknown> },
  target: Target<Request>,
  write: (question: Question, index: number) => Request,
): Side {
  return {
    name,
    version,
    stop: () => server.stop(),
    load(question, options) {
      const requests = Array.from({ length: REQUESTS }, (_, at) => write(question, at));
      return load(target, requests, options);
    },
    async ask(question, index) {
      const connection = await target.connect();
      try {
        return readTexts(await connection.send(write(question, index)));
      } finally {
        connection.close();
      }
    },
  };
}

function readTexts(body: string): string {
  const { result } = readMessage(body) as { result: { content?: { text: string }[]; tools?: unknown[] } };
  if (result.tools !== undefined) return JSON.stringify(result.tools);
  return (result.content ?? []).map(({ text }) => text).join('\n');
}
