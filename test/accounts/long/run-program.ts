import { type ChildProcess, spawn } from 'node:child_process';
import { findChild } from '../../support/processes/build.ts';

export interface Cost {
  readonly records: number;
  readonly seconds: number;
  readonly peakMb: number;
}

/** Starts the compiled program that syncs or imports. Loading TypeScript takes memory in every thread. */
export function startProgram(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [findChild('test/accounts/long/sync-child.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Runs the program to its end. Returns undefined if it was killed. */
export function awaitProgram(child: ChildProcess): Promise<Cost | undefined> {
  let [output, errors] = ['', ''];
  child.stdout?.on('data', (chunk) => {
    output += String(chunk);
  });
  child.stderr?.on('data', (chunk) => {
    errors += String(chunk);
  });
  return new Promise((resolve, reject) => {
    child.on('exit', (code, signal) => {
      if (signal === 'SIGKILL') resolve(undefined);
      else if (code === 0) resolve(JSON.parse(output) as Cost);
      else reject(new Error(`The program ended with ${code}: ${errors}`));
    });
  });
}
