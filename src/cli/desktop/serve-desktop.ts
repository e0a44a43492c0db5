import { existsSync } from 'node:fs';
import { Readable } from 'node:stream';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { signInByBrowser } from '../../client/browser-sign-in.ts';
import { fileIn, makeConnectionFolder, writeConnection } from '../../client/connection-file.ts';
import { explainError } from '../../client/explain-error.ts';
import { findStored } from '../../client/find-connection.ts';
import { createGuardedFetch } from '../../client/guarded-fetch.ts';
import { greetServer } from '../../client/mcp-client.ts';
import { StdioBridge } from '../../client/stdio-bridge.ts';
import { createStoredAccess } from '../../client/stored-access.ts';
import { readBrowserCommand, readUserFolder } from '../../config.ts';
import { plain } from '../print/print.ts';
import { findServerOf } from './find-server.ts';

/** The extension has its own connection, so that its access can end without that of the command line. */
const NAME = 'claude-desktop';

/**
 * Serves MCP over stdio for the extension of Claude Desktop: finds the server of a data folder, signs in with the
 * browser if needed, and forwards messages. The data folder is read for the address only.
 */
export async function serveDesktop(dataFolder: string): Promise<void> {
  const server = findServerOf(dataFolder);
  const fetchFn = createGuardedFetch(server);
  const file = await connect(server);
  const authProvider = createStoredAccess(file, fetchFn);
  const transport = new StreamableHTTPClientTransport(server, { authProvider, fetch: fetchFn });
  const bridge = new StdioBridge(server, transport, {
    input: process.stdin,
    output: process.stdout,
    printError: printLog,
  });
  await bridge.run();
}

/** Returns the file of the connection. Signs in if there is none, or if it is one to another server. */
async function connect(server: URL): Promise<string> {
  const file = fileIn(readUserFolder(), NAME);
  const known = findStored({ folderFiles: [], userFiles: existsSync(file) ? [file] : [] }, server.href);
  if (known.length > 0) return file;
  // The input belongs to Claude Desktop, so nothing can be pasted.
  const contact = { browser: readBrowserCommand(), input: Readable.from([]), print: printLog };
  try {
    const fetchFn = createGuardedFetch(server);
    const { credentials } = await signInByBrowser(server, contact, fetchFn, undefined, greetServer);
    makeConnectionFolder(file);
    writeConnection(file, { ...credentials, connected_at: new Date().toISOString() });
    return file;
  } catch (error) {
    throw explainError(error, server);
  }
}

/** On stderr, which Claude Desktop keeps as the log of the extension. */
const printLog = (text: string) => console.error(plain(text));
