import { basename } from 'node:path';
import { command, hint } from '../text/hint.ts';
import { ClientError } from './client-error.ts';
import { listConnectionFiles, listFilesIn, loadStored, type Stored } from './connection-file.ts';
import { parseServerAddress } from './guarded-fetch.ts';

/** The folders with stored connections. */
export interface ConnectionFolders {
  readonly folder: string;
  /** The user's connections, which are valid in all folders. Undefined with --folder. */
  readonly user?: string | undefined;
}

/** Lists the connection files of the folder and of the user. */
export function listStored({ folder, user }: ConnectionFolders): {
  folderFiles: string[];
  userFiles: string[];
} {
  const folderFiles = listConnectionFiles(folder);
  const userFiles = user === undefined ? [] : listFilesIn(user);
  return { folderFiles, userFiles: userFiles.filter((file) => !folderFiles.includes(file)) };
}

/** Returns the connection with a name or address, or the only one. */
export function getConnection(folders: ConnectionFolders, wanted: string | undefined): Stored {
  const { folderFiles, userFiles } = listStored(folders);
  const [only, ...more] = findStored({ folderFiles, userFiles }, wanted);
  if (only !== undefined && more.length === 0) return only;
  const connected = [...folderFiles, ...userFiles].map((file) => basename(file, '.json'));
  if (only === undefined) {
    throw new ClientError(
      'not_connected',
      `Not connected to ${wanted === undefined ? 'a' : 'that'} server.`,
      {
        ...(connected.length === 0 ? {} : { connected }),
        hint: hint`Run: ${command('connect', wanted ?? 'https://your.server')}`,
      },
    );
  }
  throw new ClientError('wrong_use', 'Several servers are connected.', {
    connected,
    hint: 'Choose one: --server NAME',
  });
}

/** Finds connections of the folder first, then those of the user. */
export function findStored(
  { folderFiles, userFiles }: ReturnType<typeof listStored>,
  wanted: string | undefined,
): Stored[] {
  const found = findByNameOrAddress(folderFiles, wanted);
  return found.length > 0 ? found : findByNameOrAddress(userFiles, wanted);
}

/** Finds connections by name, or else by address. Returns all if `wanted` is undefined. */
function findByNameOrAddress(files: readonly string[], wanted: string | undefined): Stored[] {
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
