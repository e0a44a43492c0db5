import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { getConnection } from '../client/find-connection.ts';
import { createGuardedFetch } from '../client/guarded-fetch.ts';
import { StdioBridge } from '../client/stdio-bridge.ts';
import { createStoredAccess } from '../client/stored-access.ts';
import { plain } from './print/print.ts';
import type { Call } from './run/call.ts';
import { readConnectionFolders } from './run/with-server.ts';

/** Serves MCP over stdio, for AI apps that start a program. Uses the access that `pdpp connect` stored. */
export async function mcp(call: Call): Promise<void> {
  const { file, connection } = getConnection(readConnectionFolders(call), call.positionals[0]);
  const server = new URL(connection.server);
  const fetchFn = createGuardedFetch(server);
  const authProvider = createStoredAccess(file, fetchFn);
  const transport = new StreamableHTTPClientTransport(server, { authProvider, fetch: fetchFn });
  const bridge = new StdioBridge(server, transport, {
    input: process.stdin,
    output: process.stdout,
    printError: (text) => console.error(plain(text)),
  });
  await bridge.run();
}
