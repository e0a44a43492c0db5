import { getConnection } from '../client/find-connection.ts';
import { createGuardedFetch } from '../client/guarded-fetch.ts';
import { type CallTool, callTool, withClient } from '../client/mcp-client.ts';
import { createStoredAccess } from '../client/stored-access.ts';
import { type Call, getText, parseWholeNumber } from './command.ts';

export const serverOption = { server: { type: 'string' } } as const;

/** Runs with the tools of the connected server that is meant. */
export async function withServer<T>(call: Call, work: (tools: CallTool) => Promise<T>): Promise<T> {
  const { file, connection } = getConnection(process.cwd(), getText(call, 'server'));
  const server = new URL(connection.server);
  const fetchFn = createGuardedFetch(server);
  return withClient(server, createStoredAccess(file, fetchFn), fetchFn, (client) =>
    work((tool, args) => callTool(client, tool, args)),
  );
}

/** The parts of a list that is written with commas. */
export function getList(call: Call, name: string): string[] | undefined {
  return getText(call, name)
    ?.split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

export function getNumber(call: Call, name: string): number | undefined {
  const text = getText(call, name);
  return text === undefined ? undefined : parseWholeNumber(text, 0, name);
}

/** Arguments of a tool without those that were not given. */
export function given(args: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
}
