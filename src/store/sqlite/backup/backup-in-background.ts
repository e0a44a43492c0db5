import { fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ScheduledBackup } from './scheduled-backups.ts';

export type BackupResult = { readonly made: ScheduledBackup } | { readonly failed: string };

export interface RunningBackup {
  readonly result: Promise<BackupResult>;
  /** Ends it. The incomplete copy is removed by a later backup. */
  stop(): void;
}

const LOW_PRIORITY = 10;

/** Makes a scheduled backup in a child process: verifying the copy takes about five seconds per gigabyte in one call. */
export function backUpInBackground(
  directory: string,
  parent: string,
  { keep, version }: { readonly keep: number; readonly version: string },
): RunningBackup {
  // In the source and in the build, the child is beside this file and has the same extension.
  const extension = extname(fileURLToPath(import.meta.url));
  const child = fork(
    new URL(`./backup-child${extension}`, import.meta.url),
    [directory, parent, String(keep), version],
    { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] },
  );
  try {
    if (child.pid !== undefined) setPriority(child.pid, LOW_PRIORITY);
  } catch {
    // It has ended already, or its priority may not be changed.
  }
  const result = new Promise<BackupResult>((resolve) => {
    child.once('message', (message) => resolve(message as BackupResult));
    child.once('error', () => resolve({ failed: 'The backup could not be started.' }));
    child.once('exit', () => resolve({ failed: 'The backup was interrupted.' }));
  });
  return { result, stop: () => child.kill('SIGKILL') };
}
