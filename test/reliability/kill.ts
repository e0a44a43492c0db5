import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { startScript } from '../support/run-cli.ts';

const MAX_LINES = 8;
export const LATEST_MS = 60;

export interface Killed {
  /** The lines that it had written, each an acknowledgement. */
  readonly lines: string[];
  /** It ended by itself before it could be killed. */
  readonly ended: { code: number | null; err: string } | undefined;
}

/**
 * Kills a process some milliseconds after it has acknowledged a few things. Counted by what it did and not by the clock, so
 * that a busy machine gets through as much as an idle one.
 */
export async function killSometime(child: ChildProcessWithoutNullStreams): Promise<Killed> {
  const enough = Math.ceil(sometime(0, MAX_LINES));
  let dying = false;
  let out = '';
  let err = '';
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
    if (dying || out.split('\n').length <= enough) return;
    dying = true;
    setTimeout(() => child.kill('SIGKILL'), sometime(0, LATEST_MS));
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  const whole = out.slice(0, out.lastIndexOf('\n') + 1);
  return {
    lines: whole.split('\n').filter(Boolean),
    ended: child.signalCode === 'SIGKILL' ? undefined : { code, err },
  };
}

export const startKillChild = (...args: string[]) => startScript('test/reliability/kill-child.ts', args);

export const sometime = (from: number, to: number) => from + Math.random() * (to - from);
