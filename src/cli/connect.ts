import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { OwnerContact } from '../client/ask-owner.ts';
import { signInByBrowser } from '../client/browser-sign-in.ts';
import type { Credentials, KnownClient } from '../client/check-sign-in.ts';
import { ClientError } from '../client/client-error.ts';
import {
  checkWritable,
  connectionFile,
  fileIn,
  loadStored,
  makeConnectionFolder,
  type Stored,
  writeConnection,
} from '../client/connection-file.ts';
import { signInByDevice } from '../client/device-sign-in.ts';
import { explainError } from '../client/explain-error.ts';
import { findStored, listStored } from '../client/find-connection.ts';
import { createGuardedFetch, nameOf, parseServerAddress } from '../client/guarded-fetch.ts';
import { type Greeting, greetServer, withClient } from '../client/mcp-client.ts';
import { revokeAccess } from '../client/stored-access.ts';
import { readBrowserCommand } from '../config.ts';
import { plain, print } from './print/print.ts';
import { summarizeIndex } from './print/schema-text.ts';
import { type Call, getPositional, getText, UsageError } from './run/call.ts';
import { formatCommand } from './run/how-started.ts';
import { readConnectionFolders } from './run/with-server.ts';

export async function connect(call: Call): Promise<void> {
  const server = parseServerAddress(getPositional(call, 0, 'ORIGIN'));
  const { file, previous } = chooseFile(server, call);
  checkWritable(file);
  const { credentials, greeting } = await signIn(server, call);
  makeConnectionFolder(file);
  writeConnection(file, { ...credentials, connected_at: new Date().toISOString() });
  // Ends the access that the new one replaces.
  if (previous !== undefined) await revokeAccess(previous.connection, createGuardedFetch(server));
  const { name } = loadStored(file);
  const { tools, isPdpp, schema } = greeting;
  print(
    call,
    { name, server: server.href, file, tools, ...(schema === undefined ? {} : { schema: schema.data }) },
    [
      `Connected to ${server.origin} as ${name}, ${describeScope(file, call)}.`,
      isPdpp
        ? await summarizeIndex(schema?.data)
        : `This does not look like a pdpp server: it offers ${tools.length} tools instead of five.`,
      `Next: ${formatCommand('schema', 'STREAM')}, ${formatCommand('query', 'STREAM')}, ${formatCommand('search', 'WORDS')}. To disconnect: ${formatCommand('disconnect')}`,
    ].join('\n'),
  );
}

/** Reuses the file of a server that is already connected. A new one is stored for all folders, or for the folder of --folder. */
function chooseFile(server: URL, call: Call): { file: string; previous: Stored | undefined } {
  const folders = readConnectionFolders(call);
  const known = listStored(folders);
  const name = getText(call, 'name') ?? findStored(known, server.href)[0]?.name ?? nameOf(server);
  const file = folders.user === undefined ? connectionFile(folders.folder, name) : fileIn(folders.user, name);
  const [previous] = findStored(known, name).filter((one) => one.name === name);
  if (previous === undefined) return { file, previous };
  if (previous.connection.server !== server.href) {
    throw new ClientError('wrong_use', 'Another server already has this name.', {
      hint: 'Choose another name: --name NAME',
    });
  }
  return { file: previous.file, previous };
}

/** Describes in which folders commands use the connection. */
function describeScope(file: string, call: Call): string {
  const isForAll = dirname(file) === readConnectionFolders(call).user;
  return `${isForAll ? 'for all folders' : 'for this folder and those below it'} (${file})`;
}

async function signIn(server: URL, call: Call): Promise<{ credentials: Credentials; greeting: Greeting }> {
  const fetchFn = createGuardedFetch(server);
  const known = readKnownClient(call);
  // On stderr, because stdout is for the result.
  const printMessage = (text: string) => console.error(plain(text));
  try {
    if (call.values.device === true) {
      const credentials = await signInByDevice(server, fetchFn, known, printMessage);
      const { access_token } = credentials.tokens;
      const greeting = await withClient(server, { token: async () => access_token }, fetchFn, greetServer);
      return { credentials, greeting };
    }
    const contact: OwnerContact = {
      browser: call.values['no-browser'] === true ? undefined : findBrowser(),
      input: process.stdin,
      print: printMessage,
    };
    const { credentials, result } = await signInByBrowser(server, contact, fetchFn, known, greetServer);
    return { credentials, greeting: result };
  } catch (error) {
    throw explainError(error, server);
  }
}

/** Reads the secret from a file: every user of the computer can see command arguments. */
function readKnownClient(call: Call): KnownClient | undefined {
  const client_id = getText(call, 'client-id');
  const file = getText(call, 'client-secret-file');
  if (client_id === undefined) {
    if (file !== undefined) throw new UsageError('--client-secret-file needs --client-id.');
    return undefined;
  }
  if (file === undefined) return { client_id };
  if (!existsSync(file)) throw new ClientError('file_missing', 'File not found.', { file });
  return { client_id, client_secret: readFileSync(file, 'utf8').trim() };
}

/** Returns the command that opens a browser. Without a terminal, nobody may see the browser, so only $BROWSER is used. */
function findBrowser(): readonly string[] | undefined {
  const command = readBrowserCommand();
  return command?.length === 0 && !process.stdin.isTTY ? undefined : command;
}
