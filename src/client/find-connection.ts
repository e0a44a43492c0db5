import { basename } from 'node:path';
import { command, hint } from '../text/hint.ts';
import { ClientError } from './client-error.ts';
import { listConnectionFiles, listFilesIn, loadStored, type Stored } from './connection-file.ts';
import { parseServerAddress } from './guarded-fetch.ts';

/** Where access to servers is kept: for a folder and those below it, and for every folder of this user. */
export interface Places {
  readonly folder: string;
  /** Left out where only the folder counts. */
  readonly user?: string | undefined;
}

/** The files that count here, the nearer before the farther. */
export function listKnown({ folder, user }: Places): { near: string[]; far: string[] } {
  const near = listConnectionFiles(folder);
  const far = user === undefined ? [] : listFilesIn(user);
  return { near, far: far.filter((file) => !near.includes(file)) };
}

/** The connection that is meant: by its name, by its server's address, or because it is the only one. */
export function getConnection(places: Places, wanted: string | undefined): Stored {
  const { near, far } = listKnown(places);
  const [only, ...more] = findKnown({ near, far }, wanted);
  if (only !== undefined && more.length === 0) return only;
  const connected = [...near, ...far].map((file) => basename(file, '.json'));
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
    hint: 'Choose one by its name: --server NAME',
  });
}

/** What is kept for the folder at hand comes before what is kept for all of them. */
export function findKnown({ near, far }: ReturnType<typeof listKnown>, wanted: string | undefined): Stored[] {
  const found = findMeant(near, wanted);
  return found.length > 0 ? found : findMeant(far, wanted);
}

/** Those of this name, or else to this address; all of them when nothing is named. */
function findMeant(files: readonly string[], wanted: string | undefined): Stored[] {
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
