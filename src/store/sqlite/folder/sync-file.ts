import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Waits until the disk has a file. Renaming it before would survive a power cut without its contents. */
export function syncFile(file: string): void {
  const handle = openSync(file, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** The same for the names in a folder, where the system knows such a thing. */
export function syncFolder(directory: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(directory, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
