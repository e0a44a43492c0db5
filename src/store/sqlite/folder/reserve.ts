import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const MB = 2 ** 20;
const RESERVE_BYTES = 16 * MB;
/** With less free space than this, a start or a removal may fail midway. */
const ALMOST_FULL_BYTES = 8 * MB;
/** With less free space than this, no reserve is created. */
const MIN_FREE_BYTES = 256 * MB;

const reservePath = (directory: string) => join(directory, 'reserve');

/**
 * Reserves disk space, so that on a full disk the owner can still start the server and remove data. Does nothing if
 * the reserve exists or little space is left.
 */
export function createReserve(directory: string): void {
  const file = reservePath(directory);
  if (existsSync(file) || freeBytes(directory) < MIN_FREE_BYTES) return;
  const handle = openSync(file, 'wx', 0o600);
  try {
    // Not zeros, which some file systems store without using space.
    for (let left = RESERVE_BYTES; left > 0; left -= MB) writeSync(handle, randomBytes(MB));
    fsyncSync(handle);
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
}

/** Deletes the reserve if the disk is almost full. Returns whether the disk is almost full. */
export function releaseReserve(directory: string): boolean {
  if (freeBytes(directory) >= ALMOST_FULL_BYTES) return false;
  rmSync(reservePath(directory), { force: true });
  return true;
}

function freeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}
