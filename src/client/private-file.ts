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

const OTHERS = 0o077;
export const OTHERS_WRITE = 0o022;

/** Makes a folder that only its owner can enter. One that is there already must be a folder of ours. */
export function makePrivateFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  checkFolder(path, OTHERS_WRITE);
}

/**
 * A folder that somebody else could have put there, or put something into, is not read: a connection
 * file in it could send what is asked to a server of theirs.
 */
export function checkFolder(path: string, forbidden = OTHERS): void {
  const stats = lstatSync(path);
  if (!stats.isDirectory()) throw unusable(path, 'is not a folder of its own (links are not followed).');
  checkOwner(path, stats, forbidden);
}

export function readPrivateFile(path: string): string {
  const handle = open(path);
  try {
    const stats = fstatSync(handle);
    if (!stats.isFile()) throw unusable(path, 'is not a file.');
    checkOwner(path, stats, OTHERS);
    return readFileSync(handle, 'utf8');
  } finally {
    closeSync(handle);
  }
}

/** Written under another name and then renamed, so that a reader sees the old file or the new one, whole. */
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
      throw unusable(path, 'is a link, which is not followed.');
    throw error;
  }
}

function checkOwner(path: string, stats: Stats, forbidden: number): void {
  // Windows has neither owners nor modes of this kind.
  if (process.getuid === undefined) return;
  if (stats.uid !== process.getuid()) throw unusable(path, 'belongs to somebody else.');
  if ((stats.mode & forbidden) !== 0) {
    throw unusable(path, 'is open to others.', `Close it first: chmod go= '${path}'`);
  }
}

const MOVE_AWAY = hint`Move it away, then run: ${command('connect')}`;

function unusable(path: string, what: string, hint: Hint = MOVE_AWAY): ClientError {
  return new ClientError('file_unusable', `${path} ${what}`, { hint });
}
