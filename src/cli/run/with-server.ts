import { resolve } from 'node:path';
import { type ConnectionFolders, getConnection } from '../../client/find-connection.ts';
import { createGuardedFetch } from '../../client/guarded-fetch.ts';
import { type CallTool, callTool, withClient } from '../../client/mcp-client.ts';
import { createStoredAccess } from '../../client/stored-access.ts';
import { readUserFolder } from '../../config.ts';
import { type Call, getText } from './call.ts';

/** Runs work with the tools of the connected server that --server names, or of the only one. */
export async function withServer<T>(call: Call, work: (tools: CallTool) => Promise<T>): Promise<T> {
  const { file, connection } = getConnection(readConnectionFolders(call), getText(call, 'server'));
  const server = new URL(connection.server);
  const fetchFn = createGuardedFetch(server);
  return withClient(server, createStoredAccess(file, fetchFn), fetchFn, (client) =>
    work((tool, args) => callTool(client, tool, args)),
  );
}

/** Removes the arguments without a value. */
export function omitUndefined(args: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
}

/** Returns the folders with stored connections: that of --folder, or the current folder and the user's. */
export function readConnectionFolders(call: Call): ConnectionFolders {
  const folder = getText(call, 'folder');
  return folder === undefined
    ? { folder: process.cwd(), user: readUserFolder() }
    : { folder: resolve(folder) };
}
