import { resolve } from 'node:path';
import { getConnection, type Places } from '../../client/find-connection.ts';
import { createGuardedFetch } from '../../client/guarded-fetch.ts';
import { type CallTool, callTool, withClient } from '../../client/mcp-client.ts';
import { createStoredAccess } from '../../client/stored-access.ts';
import { readUserFolder } from '../../config.ts';
import { type Call, getText } from './call.ts';

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

/** Where the access to servers is looked for: in the folder that was named, or in this one and for this user. */
export function readPlaces(call: Call): Places {
  const folder = getText(call, 'folder');
  return folder === undefined
    ? { folder: process.cwd(), user: readUserFolder() }
    : { folder: resolve(folder) };
}
