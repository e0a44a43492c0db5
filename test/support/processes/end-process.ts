import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Ends a process and waits until it is gone: whatever it still writes would be in the way of removing its folder. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}
