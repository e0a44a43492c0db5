import { closeSync, existsSync, openSync, readdirSync, readSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The folder inside a data folder with the backups that are made before an upgrade. */
export const UPGRADE_BACKUPS = 'before-upgrade';

/** Where SQLite stores the user_version in the header of a file. */
const VERSION_OFFSET = 60;

/**
 * Returns the newest backup made before an upgrade whose copy of a database file has a version that this program knows;
 * undefined if there is none.
 */
export function findUpgradeBackup(file: string, known: number): string | undefined {
  const parent = join(dirname(file), UPGRADE_BACKUPS);
  if (!existsSync(parent)) return;
  return readdirSync(parent)
    .filter((name) => name.startsWith('pdpp-'))
    .sort()
    .reverse()
    .map((name) => join(parent, name))
    .find((path) => readVersion(join(path, basename(file))) <= known);
}

/** A backup has no log, so the header has the current version. */
function readVersion(file: string): number {
  if (!existsSync(file)) return Number.POSITIVE_INFINITY;
  const header = Buffer.alloc(VERSION_OFFSET + 4);
  const handle = openSync(file, 'r');
  try {
    return readSync(handle, header) < header.length
      ? Number.POSITIVE_INFINITY
      : header.readUInt32BE(VERSION_OFFSET);
  } finally {
    closeSync(handle);
  }
}
