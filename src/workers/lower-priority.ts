import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/**
 * Lets other threads go first when the processors are busy. Only Linux has priorities for threads; elsewhere, and without
 * the right, nothing changes.
 */
export function lowerPriority(nice: number): void {
  if (process.platform !== 'linux') return;
  try {
    // The link leads to `PROCESS/task/THREAD`.
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), nice);
  } catch {
    // Work goes on with the usual priority.
  }
}
