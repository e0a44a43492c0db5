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
 * Checks the files that are too large to be checked before the start. It takes about five seconds per gigabyte, in one call
 * that cannot be interrupted; so it has a process of its own, which answers never wait for and a stop need not either.
 * What is returned ends the check.
 */
export function checkInBackground(
  directory: string,
  tell: (file: string, result: CheckResult) => void,
): () => void {
  const files = FILES.filter((name) => statSync(join(directory, name)).size > CHECK_AT_START_BYTES);
  let child: ChildProcess | undefined;
  let stopped = false;
  const checkAll = async () => {
    for (const name of files) {
      child = startCheck(join(directory, name));
      const result = await waitForResult(child);
      if (stopped) return;
      tell(name, result);
    }
  };
  void checkAll();
  return () => {
    stopped = true;
    child?.kill('SIGKILL');
  };
}

function startCheck(file: string): ChildProcess {
  // Built or not, the child lies beside this file under the same ending.
  const ending = extname(fileURLToPath(import.meta.url));
  const child = fork(new URL(`./check-pages-child${ending}`, import.meta.url), [file], { stdio: 'ignore' });
  try {
    if (child.pid !== undefined) setPriority(child.pid, LOW_PRIORITY);
  } catch {
    // It is done already, or may not be made slower: it is checked all the same.
  }
  return child;
}

function waitForResult(child: ChildProcess): Promise<CheckResult> {
  return new Promise((resolve) => {
    child.once('error', () => resolve('not checked'));
    child.once('exit', (code) => resolve(code === 0 ? 'sound' : code === 3 ? 'damaged' : 'not checked'));
  });
}
