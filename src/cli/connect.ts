import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { OwnerContact } from '../client/ask-owner.ts';
import { signInByBrowser } from '../client/browser-sign-in.ts';
import type { Credentials, KnownClient } from '../client/check-sign-in.ts';
import { ClientError } from '../client/client-error.ts';
import {
  checkPlace,
  connectionFile,
  fileIn,
  loadStored,
  makeConnectionFolder,
  type Stored,
  writeConnection,
} from '../client/connection-file.ts';
import { signInByDevice } from '../client/device-sign-in.ts';
import { explainError } from '../client/explain-error.ts';
import { findKnown, listKnown } from '../client/find-connection.ts';
import { createGuardedFetch, nameOf, parseServerAddress } from '../client/guarded-fetch.ts';
import { type Greeting, greetServer, withClient } from '../client/mcp-client.ts';
import { revokeAccess } from '../client/stored-access.ts';
import { readBrowserCommand } from '../config.ts';
import { plain, print } from './print/print.ts';
import { describeIndex } from './print/show-index.ts';
import { type Call, getPositional, getText, UsageError } from './run/call.ts';
import { formatCommand } from './run/how-started.ts';
import { readPlaces } from './run/with-server.ts';

export async function connect(call: Call): Promise<void> {
  const server = parseServerAddress(getPositional(call, 0, 'ORIGIN'));
  const { file, before } = choosePlace(server, call);
  checkPlace(file);
  const { credentials, greeting } = await signIn(server, call);
  makeConnectionFolder(file);
  writeConnection(file, { ...credentials, connected_at: new Date().toISOString() });
  // The access that this one replaces is of no more use to anybody.
  if (before !== undefined) await revokeAccess(before.connection, createGuardedFetch(server));
  const { name } = loadStored(file);
  const { tools, isPdpp, schema } = greeting;
  print(
    call,
    { name, server: server.href, file, tools, ...(schema === undefined ? {} : { schema: schema.data }) },
    [
      `Connected to ${server.origin} as ${name}, ${describePlace(file, call)}.`,
      isPdpp
        ? await describeIndex(schema?.data)
        : `This does not look like a pdpp server: it offers ${tools.length} tools, not the five.`,
      `Next: ${formatCommand('schema', 'STREAM')}, ${formatCommand('query', 'STREAM')}, ${formatCommand('search', 'WORDS')}. To end it: ${formatCommand('disconnect')}`,
    ].join('\n'),
  );
}

/** A server that is known here is renewed where it is; a new one is kept for every folder, or for the one that was named. */
function choosePlace(server: URL, call: Call): { file: string; before: Stored | undefined } {
  const places = readPlaces(call);
  const known = listKnown(places);
  const name = getText(call, 'name') ?? findKnown(known, server.href)[0]?.name ?? nameOf(server);
  const file = places.user === undefined ? connectionFile(places.folder, name) : fileIn(places.user, name);
  const [before] = findKnown(known, name).filter((one) => one.name === name);
  if (before === undefined) return { file, before };
  if (before.connection.server !== server.href) {
    throw new ClientError('wrong_use', 'Another server has that name already.', {
      hint: 'Choose another with --name.',
    });
  }
  return { file: before.file, before };
}

/** Where it is kept, and so from where it can be used. */
function describePlace(file: string, call: Call): string {
  const isForAll = dirname(file) === readPlaces(call).user;
  return `${isForAll ? 'from every folder' : 'for one folder and those below it'} (${file})`;
}

async function signIn(server: URL, call: Call): Promise<{ credentials: Credentials; greeting: Greeting }> {
  const fetchFn = createGuardedFetch(server);
  const known = readKnownClient(call);
  // Not the result, so not on stdout.
  const say = (text: string) => console.error(plain(text));
  try {
    if (call.values.device === true) {
      const credentials = await signInByDevice(server, fetchFn, known, say);
      const { access_token } = credentials.tokens;
      const greeting = await withClient(server, { token: async () => access_token }, fetchFn, greetServer);
      return { credentials, greeting };
    }
    const contact: OwnerContact = {
      browser: call.values['no-browser'] === true ? undefined : findBrowser(),
      input: process.stdin,
      say,
    };
    const { credentials, result } = await signInByBrowser(server, contact, fetchFn, known, greetServer);
    return { credentials, greeting: result };
  } catch (error) {
    throw explainError(error, server);
  }
}

/** A secret is read from a file: among the arguments every user of the computer could see it. */
function readKnownClient(call: Call): KnownClient | undefined {
  const client_id = getText(call, 'client-id');
  const file = getText(call, 'client-secret-file');
  if (client_id === undefined) {
    if (file !== undefined) throw new UsageError('--client-secret-file goes with --client-id');
    return undefined;
  }
  if (file === undefined) return { client_id };
  if (!existsSync(file)) throw new ClientError('file_missing', 'There is no such file.', { file });
  return { client_id, client_secret: readFileSync(file, 'utf8').trim() };
}

/** Without a terminal nobody may be looking at the screen either, unless a browser was named. */
function findBrowser(): readonly string[] | undefined {
  const command = readBrowserCommand();
  return command?.length === 0 && !process.stdin.isTTY ? undefined : command;
}
