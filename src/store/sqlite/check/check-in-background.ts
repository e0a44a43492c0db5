import { type ChildProcess, fork } from 'node:child_process';
import { statSync } from 'node:fs';
import { setPriority } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CHECK_AT_START_BYTES } from './check-file.ts';

export type CheckResult = 'sound' | 'damaged' | 'not checked';

const FILES = ['store.sqlite', 'audit.sqlite'];
const LOW_PRIORITY = 10;

/**
 * Checks files that are too large to be checked before the start. The check takes about five seconds per gigabyte in a
 * single call, so it runs in a child process that no answer waits for. Returns a function that stops it.
 */
export function checkInBackground(
  directory: string,
  onResult: (file: string, result: CheckResult) => void,
): () => void {
  const files = FILES.filter((name) => statSync(join(directory, name)).size > CHECK_AT_START_BYTES);
  let child: ChildProcess | undefined;
  let isStopped = false;
  const checkAll = async () => {
    for (const name of files) {
      child = startCheck(join(directory, name));
      const result = await waitForResult(child);
      if (isStopped) return;
      onResult(name, result);
    }
  };
  void checkAll();
  return () => {
    isStopped = true;
    child?.kill('SIGKILL');
  };
}

function startCheck(file: string): ChildProcess {
  // In the source and in the build, the child is beside this file and has the same extension.
  const extension = extname(fileURLToPath(import.meta.url));
  const child = fork(new URL(`./check-pages-child${extension}`, import.meta.url), [file], {
    stdio: 'ignore',
  });
  try {
    if (child.pid !== undefined) setPriority(child.pid, LOW_PRIORITY);
  } catch {
    // It has ended already, or its priority may not be changed.
  }
  return child;
}

function waitForResult(child: ChildProcess): Promise<CheckResult> {
  return new Promise((resolve) => {
    child.once('error', () => resolve('not checked'));
    child.once('exit', (code) => resolve(code === 0 ? 'sound' : code === 3 ? 'damaged' : 'not checked'));
  });
}
