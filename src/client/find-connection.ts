import { basename } from 'node:path';
import { ClientError } from './client-error.ts';
import { listConnectionFiles, loadStored, type Stored } from './connection-file.ts';
import { parseServerAddress } from './server-address.ts';

/** The connection that is meant: by its name, by its server's address, or because it is the only one. */
export function getConnection(directory: string, wanted: string | undefined): Stored {
  const files = listConnectionFiles(directory);
  const [only, ...more] = findMeant(files, wanted);
  if (only !== undefined && more.length === 0) return only;
  const connected = files.map((file) => basename(file, '.json'));
  if (only === undefined) {
    throw new ClientError('not_connected', 'Not connected from this folder.', {
      ...(connected.length === 0 ? {} : { connected }),
      hint: `Run: pdpp connect ${wanted ?? 'https://your.server'}`,
    });
  }
  throw new ClientError('wrong_use', 'Several servers are connected.', {
    connected,
    hint: 'Choose one by its name: --server NAME',
  });
}

/** Those of this name, or else to this address; all of them when nothing is named. */
export function findMeant(files: readonly string[], wanted: string | undefined): Stored[] {
  if (wanted === undefined) return files.map(loadStored);
  const named = files.filter((file) => basename(file, '.json') === wanted);
  if (named.length > 0) return named.map(loadStored);
  const server = tryAddress(wanted);
  return files.map(loadStored).filter(({ connection }) => connection.server === server);
}

function tryAddress(text: string): string | undefined {
  try {
    return parseServerAddress(text).href;
  } catch {
    return undefined;
  }
}
