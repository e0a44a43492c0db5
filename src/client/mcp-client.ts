import {
  type AuthProvider,
  Client,
  type FetchLike,
  ProtocolError,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { AppError } from '../errors.ts';
import { PARTS_KEY } from '../text/hint.ts';
import { version } from '../version.ts';
import { ClientError } from './client-error.ts';
import { explainError, readRefusal } from './explain-error.ts';

export type Answer = Record<string, unknown>;
export type CallTool = (tool: string, args: Record<string, unknown>) => Promise<Answer>;

/** Creates a client that negotiates the newest protocol version of the server. */
export function createClient(): Client {
  return new Client({ name: 'pdpp CLI', version }, { versionNegotiation: { mode: 'auto' } });
}

/** Runs work with a connected client, and closes it afterwards. */
export async function withClient<T>(
  server: URL,
  authProvider: AuthProvider,
  fetchFn: FetchLike,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = createClient();
  try {
    await client.connect(new StreamableHTTPClientTransport(server, { authProvider, fetch: fetchFn }));
    return await work(client);
  } catch (error) {
    throw explainError(error, server);
  } finally {
    await client.close();
  }
}

/** Calls a tool. Throws its refusal as an `AppError`. */
export async function callTool(client: Client, name: string, args: Record<string, unknown>): Promise<Answer> {
  const { structuredContent, isError, _meta } = await client.callTool({
    name,
    arguments: args,
    _meta: { [PARTS_KEY]: true },
  });
  const answer = (structuredContent ?? {}) as Answer;
  if (isError !== true) return answer;
  throw readRefusal(answer, _meta?.[PARTS_KEY]) ?? new Error('a tool failed without an error');
}

const TOOLS = ['schema', 'query_records', 'aggregate', 'search', 'fetch'];

export interface Greeting {
  readonly tools: readonly string[];
  /** Whether these are the five tools of a pdpp server. */
  readonly isPdpp: boolean;
  readonly schema: Answer | undefined;
}

/** Tests a new connection: lists its tools and the readable data. */
export async function greetServer(client: Client): Promise<Greeting> {
  const tools = (await client.listTools()).tools.map(({ name }) => name);
  const isPdpp = tools.length === TOOLS.length && TOOLS.every((name) => tools.includes(name));
  try {
    return { tools, isPdpp, schema: await callTool(client, 'schema', {}) };
  } catch (error) {
    // Other servers have no such tool, or one with another result.
    const kinds = [ProtocolError, AppError, ClientError];
    if (!isPdpp && kinds.some((kind) => error instanceof kind)) return { tools, isPdpp, schema: undefined };
    throw error;
  }
}
