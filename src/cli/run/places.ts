import { resolve } from 'node:path';
import type { Places } from '../../client/places.ts';
import { readUserFolder } from '../../config.ts';
import { type Call, getText } from './call.ts';

/** Where the access to servers is looked for: in the folder that was named, or in this one and for this user. */
export function readPlaces(call: Call): Places {
  const folder = getText(call, 'folder');
  return folder === undefined
    ? { folder: process.cwd(), user: readUserFolder() }
    : { folder: resolve(folder) };
}
