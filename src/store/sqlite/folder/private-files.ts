import { chmodSync, closeSync, fsyncSync, linkSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { unusable } from '../../failures.ts';

export type Warn = (message: string) => void;

/** Creates a folder that only its user can read. */
export function makePrivateFolder(directory: string, warn: Warn): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw unusable(
      'The data folder cannot be created or is not a folder.',
      'Choose another with --data.',
      cause,
    );
  }
  makePrivate(directory, 0o700, warn);
}

/** Removes the permissions of other users. SQLite gives -wal and -shm files the mode of their database. */
export function makePrivate(path: string, mode: number, warn: Warn): void {
  if ((statSync(path).mode & 0o777 & ~mode) === 0) return;
  chmodSync(path, mode);
  warn(`${basename(path)} could be read by others; its mode is now ${mode.toString(8)}.`);
}

/** Creates a file under a temporary name and publishes it when it is complete, unless another process was first. */
export function createFile(file: string, fill: (draft: string) => void): void {
  const draft = `${file}.${process.pid}.new`;
  const removeDraft = () => {
    for (const end of ['', '-wal', '-shm']) rmSync(`${draft}${end}`, { force: true });
  };
  removeDraft();
  closeSync(openSync(draft, 'wx', 0o600));
  try {
    fill(draft);
    // The content reaches the disk before the name does: a power cut leaves no empty file.
    syncToDisk(draft);
    linkSync(draft, file);
    syncToDisk(dirname(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    removeDraft();
  }
}

/** Waits until a file, or the names in a folder, are on the disk. Windows cannot do this for folders. */
export function syncToDisk(path: string): void {
  const isFolder = statSync(path).isDirectory();
  if (isFolder && process.platform === 'win32') return;
  const handle = openSync(path, isFolder ? 'r' : 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
