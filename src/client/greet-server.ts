import { type Client, ProtocolError } from '@modelcontextprotocol/client';
import { AppError } from '../errors.ts';
import { ClientError } from './client-error.ts';
import { type Answer, callTool } from './mcp-client.ts';

const TOOLS = ['schema', 'query_records', 'aggregate', 'search', 'fetch'];

export interface Greeting {
  readonly tools: readonly string[];
  /** Whether these are the five tools of a pdpp server. */
  readonly isPdpp: boolean;
  readonly schema: Answer | undefined;
}

/** Tries out a new access: what tools there are, and what may be read with them. */
export async function greetServer(client: Client): Promise<Greeting> {
  const tools = (await client.listTools()).tools.map(({ name }) => name);
  const isPdpp = tools.length === TOOLS.length && TOOLS.every((name) => tools.includes(name));
  try {
    return { tools, isPdpp, schema: await callTool(client, 'schema', {}) };
  } catch (error) {
    // Another kind of server has no such tool, or one that answers otherwise.
    const kinds = [ProtocolError, AppError, ClientError];
    if (!isPdpp && kinds.some((kind) => error instanceof kind)) return { tools, isPdpp, schema: undefined };
    throw error;
  }
}
