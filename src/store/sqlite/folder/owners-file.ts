import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { unusable } from '../../failures.ts';
import type { HostedOwner } from '../../owners/owner-list.ts';
import { syncToDisk } from './private-files.ts';

/** Lists the owners of a main data folder besides the main one. */
export const OWNERS_FILE = 'owners.json';

/** One owner in the file. A folder below the main one is relative, so that the main folder can be moved. */
interface Entry {
  readonly name: string;
  readonly host: string;
  readonly folder: string;
  readonly created_at: string;
}

/** Returns the owners of a main data folder. */
export function readOwners(directory: string): HostedOwner[] {
  const file = join(directory, OWNERS_FILE);
  if (!existsSync(file)) return [];
  try {
    const { owners } = JSON.parse(readFileSync(file, 'utf8')) as { owners: Entry[] };
    return owners.map(({ name, host, folder, created_at }) => ({
      ...{ name, host, createdAt: created_at },
      folder: resolve(directory, folder),
    }));
  } catch (cause) {
    throw unusable(`${OWNERS_FILE} cannot be read.`, 'Correct it, or restore it from a backup.', cause);
  }
}

/** Replaces the file as a whole. */
export function writeOwners(directory: string, owners: readonly HostedOwner[]): void {
  const entries = owners.map(
    ({ name, host, folder, createdAt }): Entry => ({
      ...{ name, host },
      folder: toStoredPath(directory, folder),
      created_at: createdAt,
    }),
  );
  const draft = join(directory, `${OWNERS_FILE}.new`);
  writeFileSync(draft, `${JSON.stringify({ owners: entries }, undefined, 2)}\n`, { mode: 0o600 });
  syncToDisk(draft);
  renameSync(draft, join(directory, OWNERS_FILE));
  syncToDisk(directory);
}

function toStoredPath(directory: string, folder: string): string {
  const path = relative(directory, folder);
  return path.startsWith('..') || isAbsolute(path) ? folder : path;
}
