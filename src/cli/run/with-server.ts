import { getConnection } from '../../client/find-connection.ts';
import { createGuardedFetch } from '../../client/guarded-fetch.ts';
import { type CallTool, callTool, withClient } from '../../client/mcp-client.ts';
import { createStoredAccess } from '../../client/stored-access.ts';
import { type Call, getText } from './call.ts';
import { readPlaces } from './places.ts';

/** Runs with the tools of the connected server that is meant. */
export async function withServer<T>(call: Call, work: (tools: CallTool) => Promise<T>): Promise<T> {
  const { file, connection } = getConnection(readPlaces(call), getText(call, 'server'));
  const server = new URL(connection.server);
  const fetchFn = createGuardedFetch(server);
  return withClient(server, createStoredAccess(file, fetchFn), fetchFn, (client) =>
    work((tool, args) => callTool(client, tool, args)),
  );
}

/** Arguments of a tool without those that were not given. */
export function given(args: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
}
