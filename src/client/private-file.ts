import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { command, type Hint, hint } from '../text/hint.ts';
import { ClientError } from './client-error.ts';

const ANY_ACCESS_BY_OTHERS = 0o077;
export const WRITE_ACCESS_BY_OTHERS = 0o022;

/** Creates a folder for its owner only. An existing one must belong to the user. */
export function makePrivateFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  checkFolder(path, WRITE_ACCESS_BY_OTHERS);
}

/** Refuses a folder that others can write to: their connection file could send our requests to their server. */
export function checkFolder(path: string, forbidden = ANY_ACCESS_BY_OTHERS): void {
  const stats = lstatSync(path);
  if (!stats.isDirectory()) throw unusable(path, 'is not a folder (links are not followed).');
  checkOwner(path, stats, forbidden);
}

export function readPrivateFile(path: string): string {
  const handle = open(path);
  try {
    const stats = fstatSync(handle);
    if (!stats.isFile()) throw unusable(path, 'is not a file.');
    checkOwner(path, stats, ANY_ACCESS_BY_OTHERS);
    return readFileSync(handle, 'utf8');
  } finally {
    closeSync(handle);
  }
}

/** Writes a temporary file and renames it, so that readers see the old or the new file. */
export function writePrivateFile(path: string, text: string): void {
  const draft = `${path}.${process.pid}.new`;
  rmSync(draft, { force: true });
  const handle = openSync(draft, 'wx', 0o600);
  try {
    writeFileSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(draft, path);
}

function open(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ELOOP')
      throw unusable(path, 'is a link. Links are not followed.');
    throw error;
  }
}

function checkOwner(path: string, stats: Stats, forbidden: number): void {
  // Windows has no numeric owners and modes.
  if (process.getuid === undefined) return;
  if (stats.uid !== process.getuid()) throw unusable(path, 'belongs to another user.');
  if ((stats.mode & forbidden) !== 0) {
    throw unusable(path, 'is accessible to other users.', `Run: chmod go= '${path}'`);
  }
}

const MOVE_AWAY = hint`Move it away, then run: ${command('connect')}`;

function unusable(path: string, what: string, hint: Hint = MOVE_AWAY): ClientError {
  return new ClientError('file_unusable', `${path} ${what}`, { hint });
}
